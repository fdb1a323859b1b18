"""A second, fast publisher, for the sweeps alone: thousands of tiny runs in one compiled call.

Why it exists. One run of a sweep draws a map of ten vertices, publishes it, reads it back and
measures it. With the readable modules that takes about a millisecond, nearly all of it Python
objects; the paper's evaluation is some hundred thousand runs for each figure. Here the runs of a
stint are drawn as arrays and carried through compiled kernels, a hundred times faster.

What keeps it honest. It is fenced: only :mod:`pathveil.reproduction` imports it, nothing here ever
makes a file for a user, and laws in the tests hold it run by run to the readable modules: the same
copies and coins from the same stream, the same pieces, the same order, the same reading.
"""
