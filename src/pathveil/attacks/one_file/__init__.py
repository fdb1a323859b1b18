"""Attacks on one file: the exact posterior over the links somebody lacks."""
