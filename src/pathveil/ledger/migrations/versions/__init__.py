"""The steps, oldest first by revision number."""
