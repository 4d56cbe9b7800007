"""Scripted evaluations: made worlds with known answers, and the sample recording."""
