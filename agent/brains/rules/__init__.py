"""The brain that needs no model: question families as a table, and a short interpreter of it."""
