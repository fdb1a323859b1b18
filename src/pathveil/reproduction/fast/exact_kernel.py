"""Our engine for whole stints of small maps: fewest cuts, orientation, layers, in one call.

Studies layer hundreds of thousands of graphs of ten to twenty copies. The kernels are those with
which the engine of the package cuts small graphs (``layering.kernels.cuts``); here they are run one
graph after the other without lists and objects in between, so that they can be set against the
paper's search in its own compiled form. The drawing, which no study looks at, is left out.

*Cost*: on the maps of the paper's evaluation some 10 to 300 microseconds a graph.
"""

from __future__ import annotations

import numpy as np

from pathveil.layering.kernels.cuts import fewest_cuts
from pathveil.layering.kernels.running import kernel
from pathveil.layering.kernels.words import Word, Words, lowest


@kernel
def stack_layers(size: int, whole: Word, below: Words, layer: Words) -> int:
    """Fill in the layer of each vertex's upper and lower piece; return the number of layers.

    ``layer[v]`` is the piece that keeps what lies above, ``layer[size + v]`` the piece of a cut
    vertex that keeps what lies below and stands on the first layer.
    """
    for v in range(2 * size):
        layer[v] = 0
    height = 1
    # Again until nothing sinks any more. It ends, as the order of the pieces has no circle.
    moved = True
    while moved:
        moved = False
        for v in range(size):
            # What is below a cut vertex hangs from its lower piece, on the first layer.
            start = layer[v] if (whole >> v) & 1 else 0
            rest = below[v]
            while rest != 0:
                w = lowest(rest)
                rest &= rest - 1  # takes the lowest bit away
                if layer[w] <= start:
                    layer[w] = start + 1
                    height = max(height, start + 2)
                    moved = True
    return height


@kernel
def layer_all(words: Words, sizes: Words, most_tries: int, found: Words) -> None:
    """Layer every run of a stint; columns: pieces, sets tried, cut vertices, layers."""
    scratch = np.zeros((6, 64 * 64), np.int64)
    below = np.zeros(64, np.int64)
    above = np.zeros(64, np.int64)
    layer = np.zeros(128, np.int64)
    one = np.int64(1)
    for run in range(len(words)):
        size = sizes[run]
        near = words[run]
        cut, tries = fewest_cuts(size, near, most_tries, below, above, scratch)
        found[run, 0] = -1  # stays where the search was given up
        if tries < 0:
            continue
        # A shift by 64 is undefined: all bits are -1 there.
        everyone = (one << size) - 1 if size < 64 else np.int64(-1)
        whole = everyone & ~cut
        count = 0
        while cut != 0:
            cut &= cut - 1
            count += 1
        found[run, 0] = size + count
        found[run, 1] = tries
        found[run, 2] = count
        found[run, 3] = stack_layers(size, whole, below, layer)
