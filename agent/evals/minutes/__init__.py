"""Minutes of meetings with planted falsehoods, to measure what `check` catches and what it calls false wrongly."""
