"""Publications and groupings from files and to files."""
