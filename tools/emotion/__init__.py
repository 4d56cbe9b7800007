"""Emotion: how a turn sounded."""
