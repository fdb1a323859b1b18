"""``inspect --why``: for each vertex that is cut in two, the proof that it had to be."""

from __future__ import annotations

from rich.markup import escape
from rich.padding import Padding

from pathveil.cli.console import console
from pathveil.model.publication import Publication

MOST = 12
"""Proofs that are printed; more would not be read."""


def print_reasons(publication: Publication) -> None:
    """Print why each cut position could not be whole beside the others, as far as it is proved."""
    import numpy as np

    from pathveil.layering.reasons import position_names, why_cut

    layered, bits = publication.layered, publication.packed.pairs
    names = position_names(layered.positions)
    cut = np.flatnonzero(np.bincount(layered.position_of) > 1).tolist()
    if not cut:
        console.print("No vertex is cut: the bits can be drawn with every vertex whole.")
        return
    for position in cut[:MOST]:
        reason = why_cut(bits, layered, position)
        console.print(f"[bold]{escape(names[position])}[/] is cut in pieces.")
        if reason is None:
            said = ["No proof was found; another drawing might leave it whole."]
        else:
            said = reason.sentences(names)
        for line in said:
            console.print(Padding(escape(line), (0, 0, 0, 2)))
    if len(cut) > MOST:
        console.print(f"and {len(cut) - MOST} more")
