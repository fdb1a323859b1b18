"""The story in one picture: what you have, what you publish, and what each person sees of it.

All maps of the picture have the same vertices at the same points, so that the eye compares them.
Every mark is read off the publication given: a pair is *marked* if the file puts its vertices in
different branches. Links of the walk are always marked, other links never, other pairs by a coin.

*Privacy*: the picture shows the network and the walk. It is the custodian's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from textwrap import wrap

import numpy as np
from rich.cells import cell_len

from pathveil.drawing.network_picture import (
    MapPlan,
    Room,
    draw_names,
    drawn_map,
    kept_apart,
    link_lines,
    placed,
    taken_by_discs,
)
from pathveil.drawing.sheet import MIDDLE, num, sheet, short_name, words
from pathveil.errors import DoesNotFit
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk
from pathveil.wording import counted

MOST_VERTICES = 40
"""Vertices up to which the marked pairs can still be seen one by one."""

_MARGIN, _GAP = 32.0, 24.0
_WIDTH = 1200.0
_HEAD = 96.0
_TALL = 424.0  # of a large panel

Pairs = list[tuple[str, str]]


def story_svg(network: Network, walk: Walk, publication: Publication) -> str:
    """Return the story of one publication as an SVG document.

    Raises
    ------
    DoesNotFit
        If the network is too large to be looked at, the publication is no plain packed one, or it
        is one of another network or walk.
    """
    walk.require_in(network)
    marked = _marked_pairs(network, walk, publication)
    partner = _telling_partner(network, walk)
    tangle = _network_of(network, marked)
    real, pairs = len(walk.links), len(network) * (len(network) - 1) // 2
    large, small = _panels(2, _HEAD), _panels(3, _HEAD + _TALL + _GAP + 44)
    below = small[0].top
    title = "Publish a walk. Keep the map."
    promise = (
        "Whoever knows the network reads the walk exactly. Everybody else sees its links among "
        "pairs that coins have marked."
    )
    body = [
        _bold(_MARGIN, 46, title, size=26),
        words(_MARGIN, 72, promise, size=14.5, style="muted"),
        *large[0].framed(
            "What you have",
            f"Your network of {counted(len(network), 'vertex', 'vertices')} and "
            f"{counted(len(network.pairs), 'link')}, and a secret walk of "
            f"{counted(len(walk) - 1, 'step')} along them.",
            number="1",
        ),
        *_map(large[0], network, network, walk),
        *large[1].framed(
            "What you publish",
            f"One bit for each of the {pairs} pairs: marked, or not. The walk's links are marked, "
            "your other links are not, and for an unlinked pair a coin decides. Here "
            f"{len(marked)} pairs are marked.",
            number="2",
        ),
        *_map(large[1], network, tangle),
        _onward(large[1].left - _GAP / 2, _HEAD + _TALL / 2),
        _badge(_MARGIN + 13, below - 26, "3"),
        _bold(_MARGIN + 34, below - 20, "What each person sees in that file", size=17),
        *_partner_panel(small[0], network, walk, partner),
        *small[1].framed(
            "A competitor",
            f"It sees all names, knows none of your links, and sees {len(marked)} marked pairs. "
            "Each may be a link of the walk, or a coin's.",
        ),
        *_map(small[1], network, tangle),
        *small[2].framed(
            "You, and all who know the network",
            f"Of the marked pairs only {real} are links of the network. They are the walk, "
            "exactly, step by step.",
        ),
        *_map(small[2], network, network, walk),
    ]
    foot = below + small[0].head + small[0].high + 30
    note = (
        "The names of the vertices are public. Someone who knows all links but one may guess that "
        "one: the certificate in the file says how well. This picture shows the secret."
    )
    body.append(words(_MARGIN, foot, note, size=12.5, style="muted"))
    about = (
        f"Three steps: a network with a walk of {counted(len(walk) - 1, 'step')}; the published "
        f"pairs, {len(marked)} of {pairs} marked; what a partner, a competitor and readers see."
    )
    return sheet(body, width=_WIDTH, height=foot + 22, title=title, about=about)


def _telling_partner(network: Network, walk: Walk) -> str:
    """Return a stop near the middle of the walk, if possible one with links off the walk."""

    def worse(place: int) -> tuple[bool, float]:
        name = walk.vertices[place]
        own = {link for link in network.links if name in link}
        return own <= set(walk.links), abs(place - (len(walk) - 1) / 2)

    return walk.vertices[min(range(len(walk)), key=worse)]


def require_small(network: Network) -> None:
    """Raise :class:`DoesNotFit` if a network is too large for its marked pairs to be seen."""
    if len(network) > MOST_VERTICES:
        raise DoesNotFit(
            f"the network has {len(network)} vertices; the story is drawn for at most "
            f"{MOST_VERTICES}: draw a smaller network, or draw this one without its story"
        )


def _marked_pairs(network: Network, walk: Walk, publication: Publication) -> Pairs:
    """Return the pairs of vertices in different branches, after checking that all fits."""
    require_small(network)
    plain = publication.lists_vertices and publication.grouped is None
    if not plain or publication.policy.noisy:
        raise DoesNotFit(
            "the story is drawn of a packed publication without noise or grouping, as "
            "`pathveil publish NETWORK WALK -o FILE` makes one; give such a file"
        )
    publication.bits.require_over(network)
    starts = np.cumsum([0, *publication.positions.counts[:-1]])
    apart = ~publication.packed.pairs.matrix()
    apart = np.logical_or.reduceat(np.logical_or.reduceat(apart, starts, axis=0), starts, axis=1)
    marked = [(network.vertices[i], network.vertices[j]) for i, j in np.argwhere(np.triu(apart, 1))]
    on_walk = {tuple(sorted(link)) for link in walk.links}
    if {link for link in network.links if link in set(marked)} != on_walk:
        raise DoesNotFit(
            "the publication is one of another walk or network: its marked links are not the "
            "walk's; give the network and the walk that were published"
        )
    return marked


def _network_of(network: Network, pairs: Pairs) -> Network:
    rows = np.array([(network.index(u), network.index(v)) for u, v in pairs], dtype=np.int64)
    return Network(network.vertices, rows.reshape(-1, 2), network.coordinates)


@dataclass(frozen=True)
class _Panel:
    """A box with a heading and a few words, and below them room for a map."""

    left: float
    top: float
    wide: float
    head: float
    high: float
    large: bool

    def framed(self, heading: str, sentence: str, *, number: str = "") -> list[str]:
        """Return everything of it but the map."""
        at = f'x="{num(self.left)}" y="{num(self.top)}" width="{num(self.wide)}"'
        parts = [f'<rect class="band" {at} height="{num(self.head + self.high)}" rx="14"/>']
        x, y = self.left + 18, self.top + 35
        if number:
            parts.append(_badge(x + 13, y - 6, number))
            x += 34
        parts.append(_bold(x, y, heading, size=17 if number else 15))
        for line, shown in enumerate(wrap(sentence, int((self.wide - 36) / 7))):
            y = self.top + 58 + 18 * line
            parts.append(words(self.left + 18, y, shown, size=13, style="muted"))
        return parts

    def plan(self, network: Network, named: frozenset[str]) -> MapPlan:
        """Return where everything of a map is, fitted into the panel."""
        longest = max(cell_len(name) for name in network)
        few = len(network) <= 16
        inside = longest <= (3 if few else 2) and (few or self.large)
        radius = (15.0 if self.large else 12.0) if inside else (7.5 if self.large else 5.5)
        radius *= 1.0 if few else 0.75
        side = 26.0 + (radius if inside else min(longest, 16) * 2.8)
        unit = placed(network)
        spread = np.maximum(np.ptp(unit, axis=0), 1e-9)
        free = np.array([self.wide - 2 * side, self.high - 2 * (radius + 20)])
        scale = float((free / spread).min())
        middle = [self.left + self.wide / 2, self.top + self.head + self.high / 2 - 4]
        points = (unit - (unit.min(axis=0) + spread / 2)) * [scale, -scale]
        points = kept_apart(points, 2 * radius + 10)
        points = points * min(1.0, float((free / np.ptp(points, axis=0)).min())) + middle
        font = 12.0 if self.large else 10.5
        return MapPlan(
            np.round(points, 1), radius, font, named, inside, self.wide, self.high, self.left
        )


def _panels(count: int, top: float) -> list[_Panel]:
    """Return some panels beside each other: two large ones, or three small ones."""
    wide = (_WIDTH - 2 * _MARGIN - (count - 1) * _GAP) / count
    large = count == 2
    head, high = (_TALL - 320, 320.0) if large else (112.0, 210.0)
    return [
        _Panel(_MARGIN + place * (wide + _GAP), top, wide, head, high, large)
        for place in range(count)
    ]


def _map(panel: _Panel, network: Network, links: Network, walk: Walk | None = None) -> list[str]:
    """Return a map in its panel: lines, the walk if there is one, discs, names."""
    plan = panel.plan(network, frozenset(network))
    if not (panel.large or plan.inside):
        plan = replace(plan, named=frozenset())
    return drawn_map(network, links, plan, walk, "shown" if walk is None else "faint")


def _partner_panel(panel: _Panel, network: Network, walk: Walk, partner: str) -> list[str]:
    """Return what one vertex sees: its own links, the walk on them, and names beyond."""
    own = [link for link in network.links if partner in link]
    used = [link for link in own if link in walk.links]
    reads = "none of them."
    if used:
        reads = f"{len(used)} of them. Of the rest it sees what a competitor sees."
    parts = panel.framed(
        f"A partner: {short_name(partner, longest=24)}",
        f"It knows its own {counted(len(own), 'link')} and looks those up: the walk uses {reads}",
    )
    ends = frozenset({end for link in own for end in link})
    plan = panel.plan(network, ends)
    near = _network_of(network, own)
    parts += link_lines(near, plan, "faint")
    for u, v in used:
        (x1, y1), (x2, y2) = (plan.points[network.index(end)] for end in (u, v))
        way = f"M{num(x1)} {num(y1)}L{num(x2)} {num(y2)}"
        parts.append(f'<path class="walk" stroke-width="3.2" d="{way}"/>')
    for name, (x, y) in zip(network, plan.points.tolist(), strict=True):
        kind = "node visited" if name == partner else "node" if name in ends else "self"
        radius = plan.radius * (1.25 if name == partner else 1.0 if name in ends else 0.6)
        at = f'cx="{num(x)}" cy="{num(y)}" r="{num(radius)}"'
        parts.append(f'<circle class="{kind}" {at} stroke-width="1.5"/>')
    discs = zip(network, taken_by_discs(network, plan, None), strict=True)
    return parts + draw_names(
        near, plan, walk, Room([disc for name, disc in discs if name in ends])
    )


def _bold(x: float, y: float, value: str, *, size: float) -> str:
    return words(x, y, value, size=size, more=' font-weight="700"')


def _badge(x: float, y: float, value: str) -> str:
    disc = f'<circle class="lit" cx="{num(x)}" cy="{num(y)}" r="13"/>'
    more = f' font-weight="700" stroke-width="0"{MIDDLE}'
    return disc + words(x, y + 5, value, size=14, style="halo", more=more)


def _onward(x: float, y: float) -> str:
    """Return an arrow from one panel to the next."""
    tip = f"M{num(x + 9)} {num(y)}L{num(x + 1)} {num(y - 6)}v12z"
    return (
        f'<circle class="page" cx="{num(x)}" cy="{num(y)}" r="19"/>'
        f'<path class="shown" stroke-width="3" d="M{num(x - 9)} {num(y)}h11"/>'
        f'<path class="lit" d="{tip}"/>'
    )
