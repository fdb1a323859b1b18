"""Networks from files and to files."""
