"""What a model endpoint needs around its client: which one, how long to wait, what it answered."""
