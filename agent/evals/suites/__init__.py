"""Suites of cases that people write: read strictly, asked through `ask` or a program, scored, and reported."""
