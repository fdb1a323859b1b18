"""Attacks that only studies use."""
