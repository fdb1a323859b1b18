"""From bits to a layered graph, deterministically."""
