"""Speed and size, measured as ratios against the limit or the peer. Run by ``make bench``."""
