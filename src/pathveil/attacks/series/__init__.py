"""Attacks on several files over one network."""
