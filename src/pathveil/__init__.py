"""pathveil."""
