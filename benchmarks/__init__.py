"""Speed and size, measured as ratios against the limit or the peer. Run by ``make bench``."""

import os

# As the command line has it, before NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
