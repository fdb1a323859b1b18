"""One bit for each link instead of one for each pair."""
