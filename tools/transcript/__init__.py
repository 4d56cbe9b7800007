"""Transcript: what was said, when, by which voice."""
