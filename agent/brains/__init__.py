"""Who thinks: the rules, a model behind an endpoint, or a script."""
