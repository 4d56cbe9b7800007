"""Recognisers of the emotion stream, one file a backend; heavy libraries are imported inside them, late."""
