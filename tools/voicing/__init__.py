"""Voices as people know them: across listenings, by what they say, by what people said of them."""
