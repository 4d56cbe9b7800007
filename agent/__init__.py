"""The agent: one graph that plans, validates, retrieves, judges and answers, and the fronts that call it."""
