"""Judges of the paper's printed claims: one rule for trends, and one module for each figure."""
