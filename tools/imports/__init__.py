"""Files that others wrote become recordings: one reader a format, one rule for times, one report."""
