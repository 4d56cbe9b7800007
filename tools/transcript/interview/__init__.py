"""Transcription by a model that hears: chunks that overlap, written down by a chat endpoint and fused."""
