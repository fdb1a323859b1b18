"""The studio: see what you publish, be the reader, be the attacker, on your own machine."""
