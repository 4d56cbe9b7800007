"""Synthetic worlds: a seed makes the truth, the truth makes clean streams and questions with gold answers."""
