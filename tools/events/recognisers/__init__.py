"""Recognisers of the events stream, one file a backend; heavy libraries are imported inside them, late."""
