"""Recognisers of the transcript stream, one file a backend; heavy libraries are imported inside them, late."""
