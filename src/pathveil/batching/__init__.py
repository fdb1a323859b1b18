"""Many walks over one network."""
