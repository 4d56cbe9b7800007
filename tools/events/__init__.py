"""Events: what was heard besides speech."""
