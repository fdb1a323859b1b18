"""Participants read together: cards, a meeting, a protocol on shares. Extra ``mpc``."""
