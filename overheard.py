"""The public API: ask a question of a library of recordings."""
