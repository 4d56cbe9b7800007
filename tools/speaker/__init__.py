"""Speaker: whose turn it was."""
