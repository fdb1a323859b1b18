"""What is known: frozen values, no chance, no files."""
