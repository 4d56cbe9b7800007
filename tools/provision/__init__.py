"""What weights there are and where they can come from; `tools.models` is where they lie."""
