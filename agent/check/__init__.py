"""Holding a document against a recording: what it claims to quote is looked up word by word."""
