"""The rules brain as an OpenAI-compatible endpoint on this machine: it sees the request and nothing else."""
