"""Tests of the bank of questions."""
