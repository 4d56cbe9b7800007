"""Listening: a recording heard stretch by stretch, first, again and at the end, and what becomes of what fails."""
