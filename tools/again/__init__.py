"""Listening again: before words are denied, the likeliest turns of the audio at hand are heard once more for them."""
