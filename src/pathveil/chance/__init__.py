"""Where randomness enters, and what privacy is lost by it."""
