"""Sentences of certificates as earlier versions wrote them: files that carry them stay good.

A certificate carries its sentences in words. Where one of them was found to say too much or too
little it was put better, and a file that was handed out before has the old words still. It is not
edited for that: :func:`in_todays_words` reads each old sentence as the one that stands there today.
Losses and chances are numbers, and none of them may differ.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pathveil.chance.certification import (
    CLASS_DIRECTION,
    CLASS_PRICE,
    CLASS_TWICE,
    LAYOUT,
    ODDS,
    UNTOLD,
)
from pathveil.chance.policy.kind import BARE, LIKELY, READ
from pathveil.chance.policy.paper import BARE_COPIES, DRAWN_COPIES
from pathveil.chance.policy.remembering import STRUCTURE
from pathveil.chance.policy.sealed import OFF_WALK_ABSENCE
from pathveil.chance.series_loss import SERIES
from pathveil.chance.sketched_series import NEEDED
from pathveil.chance.sketching import SEED_SENTENCE
from pathveil.model.certificate import Certificate

_DRAWN = (
    "The number of copies of a vertex is drawn from a range that begins at its number of visits: "
    "s copies prove at most s visits, and the largest number is seen."
)
FORMER: dict[str, str] = {
    LIKELY: READ,
    ODDS: (
        "A loss compares with a world in which the walk steps over a pair that is no link. Nobody "
        "publishes such a world, so a loss is no bound on the odds between walks that are "
        "possible: how often a missing link is told from its rivals is listed by itself."
    ),
    UNTOLD: "Which end of the walk is the first is not told: to everybody the order is a tie.",
    CLASS_DIRECTION: (
        "The direction bit is published as it is: whether the walk's sequence of classes sorts "
        "before its reverse. Who knows which way a step goes may learn from it."
    ),
    CLASS_PRICE: (
        "That a link is there at all costs something once, by the grouping itself, besides the "
        "losses above; how much depends on the network and is known to the custodian alone."
    ),
    CLASS_TWICE: "A second grouping of the same network undoes this one.",
    LAYOUT: (
        "The layout is drawn in the walk's order. Between the two worlds that a loss compares it "
        "adds nothing, for the order is the same in both; but who tries out the ways the known "
        "pieces of the walk may join tells them apart by it."
    ),
    BARE: "Edges that are not on the walk are bare: who looks sees them.",
    OFF_WALK_ABSENCE: (
        "That two vertices are NOT linked off the walk is not protected: an output rules such an "
        "edge out. Whether a pair is a walk edge or no edge is hidden both ways."
    ),
    DRAWN_COPIES: _DRAWN,
    BARE_COPIES: _DRAWN,
    STRUCTURE: (
        "Chaff is drawn pair by pair; walks are paths. An outsider who has every file of the "
        "series and looks for links that form one path in each release reads walks once links "
        "have been used once or twice each on average; from half a use on if he knows many links, "
        "or if chaff is shown much more often than links are. Publish few walks this way."
    ),
    SERIES: (
        "Releases of this series are counted together in the rows that say of how many walks; who "
        "sees only some of them is in the row for those. A release outside the series over the "
        "same network, or a second series, adds its losses to these."
    ),
    NEEDED: (
        "What this release shows of a pair is read with the earlier releases of the series at "
        "hand; who has lost one of them cannot read those after it."
    ),
    SEED_SENTENCE: (
        "A sketch tells its capacity, the most links there may be, and no vertex, name or number "
        "beside it. Its seed was redrawn until the links' rows were independent; that is the small "
        "second term of each loss, a bound that takes AES for random."
    ),
}
"""What stands in a certificate today, and what stood there before."""

_BARE_AT_ONE = re.compile(
    r"Edges (between .*) are bare, walk edges too: their rate is 1\.", re.DOTALL
)


def in_todays_words(carried: Certificate, earned: Certificate) -> Certificate:
    """Return a carried certificate with each former sentence as the earned one words it today.

    Whatever is neither today's sentence of its place nor the former one stays as it is.

    >>> earned = Certificate(not_protected=(READ, UNTOLD))
    >>> carried = Certificate(not_protected=(READ, FORMER[UNTOLD]))
    >>> in_todays_words(carried, earned) == earned
    True
    """
    said = list(carried.not_protected)
    for place, owed in enumerate(earned.not_protected[: len(said)]):
        if said[place] == _former(owed):
            said[place] = owed
    return replace(carried, not_protected=tuple(said))


def _former(sentence: str) -> str | None:
    """Return what stood in the place of a sentence before; None if it is as it was."""
    bare = _BARE_AT_ONE.fullmatch(sentence)
    if bare is not None:
        return f"Other edges {bare[1]} are bare: their rate is 1."
    return FORMER.get(sentence)
