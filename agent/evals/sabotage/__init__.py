"""Faults planted in the agent on purpose: an evaluation that does not turn red for each of them measures nothing."""
