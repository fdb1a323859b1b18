"""Who attacks it."""
