"""Recognisers of the speaker stream, one file a backend; heavy libraries are imported inside them, late."""
