"""Compiled loops of the attacks, run by the machinery of the layering kernels."""
