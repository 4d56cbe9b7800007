"""How much of what was said a model reads for one answer, and how a long recording is read stretch by stretch."""
