"""Where randomness enters, and what it costs."""
