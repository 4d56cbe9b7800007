"""How good a model is over an endpoint: a fixed set of questions, replies kept as they came, scores by family."""
