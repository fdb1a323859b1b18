"""The prior systems and ours under one attack, on the same maps."""
