"""Policies: how a custodian decides what chance does, and nothing about how it is done.

| policy | chaff rate p_on | walk edge | other edge |
|---|---|---|---|
| ``sealed()`` | 1 | loss 0, both ways | bare |
| ``balanced()`` | 1/2 | ln 2 | ln 2 |
| ``frontier(walk_loss=a)`` | e^-a | a | -ln(1 - e^-a) |
| ``remembering()`` | (k + 1/2)/(t + 1) after k of t releases | see the series | see the series |
| ``labelled(labels, rates)`` | by label pair | ln(1/rate) | ln(1/(1 - rate)) |
| ``two_sided(epsilon=)`` | 1/2, edges in doubt too | at most epsilon, both ways | the same |
| ``paper(vertex=, edge=)`` | 1/(1 + e^(edge/2)) | ln(1 + e^(edge/2)) | ln(1 + e^(-edge/2)) |

The table is for one copy of each vertex. A walk that revisits a vertex needs ``copies=``. Then
either every copy pair has a coin of its own and losses add up (``edge_uses=None``: any walk can be
published), or the coins of a vertex pair are thrown together and cost ln K, K the number of states
an edge can be in (``edge_uses=1``: the walk uses no edge twice; K = copies^2 + 1). Walks published
together share their coins in the same way. See :mod:`pathveil.chance.law`.

Each kind is one file of this folder: its law, terms, sentences and options. Numbers are exact:
whole numbers, fractions, decimals or their text; a float means its shortest decimal form, so 0.1 is
one tenth.
"""

from pathveil.chance.policy.kinds import KINDS, kind_named
from pathveil.chance.policy.named import Policy
from pathveil.chance.policy.numbers import Number, exact_number

__all__ = ["KINDS", "Number", "Policy", "exact_number", "kind_named"]
