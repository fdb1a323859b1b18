"""The publication: everything that is handed out, and nothing else.

Two parts of it come from the secret: the bits and the direction bit; in the paper's layering also
the drawing, through its insertion order and flip, and under the paper's policy the numbers of
copies. The rest is public beforehand: names, policy, universe, place in a series, certificate (a
sketch also has a seed, redrawn until it suits the links), or random by itself: the salt of a file
that a digest names somewhere else. No secret key and no time is in here.

With the exact layering the layered graph is a *function* of bits, names and direction: it is drawn
the first time somebody looks at it, and kept. The paper's engine lays it out by the walk, so then
the file carries it.

:class:`Verdict` says in words who reads it, what others learn and what is public. It is computed
from public terms, so it is the same for every walk and every draw of the coins: it may be printed,
logged and passed on. What *this* draw did to *this* walk is another question, which only the
custodian may ask (:mod:`pathveil.attacks.link_risk`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from decimal import ROUND_CEILING, Decimal
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from pathveil.errors import BadArgument, BrokenSeries, DoesNotFit, NoVertexList, TooLarge
from pathveil.model.bits import Form, PackedBits, PairBits
from pathveil.model.certificate import Certificate, PolicyTerms
from pathveil.model.grouping import GroupedBits, Grouping
from pathveil.model.layered import LayeredGraph, Layering, Node, follows_walk
from pathveil.model.positions import Positions
from pathveil.model.sketch import SketchedBits
from pathveil.model.universe import Universe
from pathveil.wording import counted, html_table

Bits = PackedBits | GroupedBits | SketchedBits
"""What a publication answers from: bits of pairs of vertices, of pairs of classes, or a sketch."""

Direction = Literal["public", "hidden"]
DIRECTIONS: tuple[Direction, ...] = ("public", "hidden")

MOST_NAMED = 5_000
"""Vertices a publication without a list may be drawn or enumerated over."""

MOST_DRAWN = 200
"""Copies of vertices that a notebook is shown a picture of."""

SALT_BYTES = 16
"""Random bytes of a salt: too many to try."""

_SALT = re.compile(f"[0-9a-f]{{{2 * SALT_BYTES}}}")

MOST_RELEASES = 20_000
"""Releases a series may have: what one costs is computed from whole numbers of as many factors."""


@dataclass(frozen=True, repr=False)
class SeriesPlace:
    """The place of a publication in its series (:mod:`pathveil.model.series`).

    Parameters
    ----------
    place
        1 for the first release, 2 for the next.
    before
        Digest of the release before; None for the first.
    release
        Digest of this release.
    """

    place: int
    before: str | None
    release: str

    def __post_init__(self) -> None:
        if self.place < 1 or (self.before is None) != (self.place == 1):
            raise BrokenSeries(
                f"place {self.place}, {'no' if self.before is None else 'a'} release before; "
                "places count from 1, and all but the first release name the one before"
            )
        if self.place > MOST_RELEASES:
            raise BrokenSeries(
                f"place {self.place:,}, a series has {MOST_RELEASES:,} releases at most; begin a "
                "new one, whose losses add to those of this one"
            )

    def __repr__(self) -> str:
        return f"<SeriesPlace: release {self.place} of its series, {self.release[:12]}>"


def require_salt(salt: str | None, *, series: bool) -> None:
    """Raise :class:`BrokenSeries` unless a salt is whole, and there if a series needs it.

    >>> require_salt(None, series=False)
    >>> require_salt("00" * SALT_BYTES, series=True)
    """
    if salt is None and not series:
        return
    if salt is None or not _SALT.fullmatch(salt):
        length = "missing" if salt is None else f"of {len(salt)} characters"
        raise BrokenSeries(
            f"the salt is {length}, expected {2 * SALT_BYTES} hexadecimal digits: without it "
            "somebody who has the next file of a series can try out what this one says; the file "
            "was cut: get it again, or publish the series anew"
        )


@dataclass(frozen=True, repr=False)
class Publication:
    """A published walk: its bits, its layers, its certificate. All of it is public.

    Parameters
    ----------
    bits
        What is shown of each pair.
    policy
        How the coins were thrown.
    layering
        Which engine draws the layers.
    direction
        Whether the first end of the walk sorts before its last end (over a grouping: the sequence
        of classes before its reverse); None where it is not told. The paper's layering has no such
        bit: it tells the order by its roots or not at all.
    drawing
        The layered graph, for the paper's layering only.
    universe
        Which pairs had coins; None: all.
    series
        Its place in a series of releases; None if it stands alone.
    salt
        Random hexadecimal digits in every file that is named by a digest elsewhere, in the next
        file of its series or in a ledger: without the file the digest confirms no guess at it.
    certificate
        What the policy promises.
    unsafe
        Whether the coins came from a seed. Someone who has the seed tells links from chaff.
    where
        What messages call it: the file it was read from. No part of what it says.

    Examples
    --------
    >>> import pathveil as pv
    >>> network = pv.Network.parse("ab bc cd bd")
    >>> publication = pv.publish(network, pv.Walk("abcd"), policy=pv.Policy.sealed())
    >>> publication
    <Publication: 4 vertices, sealed, exact layering>
    >>> publication.same_branch(("b", 0), ("d", 0)), publication.same_branch(("c", 0), ("d", 0))
    (True, False)
    >>> [[node.vertex for node in layer] for layer in publication.layers]
    [['a', 'c', 'd'], ['b']]
    """

    bits: Bits
    policy: PolicyTerms
    layering: Layering = "exact"
    direction: bool | None = None
    drawing: LayeredGraph | None = None
    universe: Universe | None = None
    series: SeriesPlace | None = None
    salt: str | None = None
    certificate: Certificate = field(default_factory=Certificate)
    unsafe: bool = False
    where: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not hasattr(self.policy, "parameters"):
            write = "a publication is made by pv.publish(network, walk) or Publication.load(...)"
            raise BadArgument.of("the policy in Publication(...)", self.policy, write)
        drawn, follows = self.drawing is not None, self.follows_walk
        if follows != drawn or (follows and self.direction is not None):
            raise ValueError(
                f"layering {self.layering!r} with direction {self.direction!r} and "
                f"{'a' if drawn else 'no'} drawing: the paper's layering "
                "carries its drawing and has no direction bit, the exact one is drawn when asked"
            )
        require_salt(self.salt, series=self.series is not None)

    @classmethod
    def of_drawing(cls, layered: LayeredGraph, policy: PolicyTerms) -> Publication:
        """Return the publication that a drawing by the paper's engine shows."""
        bits = PackedBits(layered.positions, layered.bits())
        return cls(bits, policy, layering="backtracking", drawing=layered)

    @classmethod
    def of(cls, given: Any) -> Publication:
        """Return a publication: itself; of anything else it is said what to write."""
        if isinstance(given, Publication):
            return given
        write = "write pv.Publication.load(...) for a file; the publication comes before a network"
        raise BadArgument.of("the publication", given, write)

    @property
    def follows_walk(self) -> bool:
        """Whether its drawing was made in the walk's order, and so is carried."""
        return follows_walk(self.layering)

    # -- asking ---------------------------------------------------------------------------------

    def same_branch(self, first: tuple[str, int], second: tuple[str, int]) -> bool:
        """Return whether two copies, given as (vertex, copy), share a branch.

        >>> import pathveil as pv
        >>> published = pv.publish(pv.Network.parse("ab bc ac"), pv.Walk("abc"))
        >>> published.same_branch(("a", 0), ("b", 0)), published.same_branch(("a", 0), ("c", 0))
        (False, True)
        """
        for given in (first, second):
            if not isinstance(given, tuple | list) or len(given) != 2:
                raise BadArgument.of(
                    "what same_branch() was given",
                    given,
                    "write same_branch((vertex, 0), (vertex, 0)): a vertex with its copy",
                )
        asked = self.bits.positions_of([first[0], second[0]])
        pair = np.array([[asked.index(*first), asked.index(*second)]], dtype=np.int64)
        return bool(self.bits.same_branch(asked, pair)[0])

    @property
    def packed(self) -> PackedBits:
        """The bit of every pair, for what draws or enumerates; over a grouping, of every block.

        Raises
        ------
        NoVertexList
            If the publication is of a form that knows no vertices.
        """
        return self.bits.listed()

    @property
    def form(self) -> Form:
        """The form its bits have: "packed" or "sketch"."""
        return "packed" if self.sketch is None else "sketch"

    @property
    def lists_vertices(self) -> bool:
        """Whether it lists its vertices (over a grouping: its classes); a sketch does not."""
        return self.form == "packed"

    @property
    def grouped(self) -> GroupedBits | None:
        """Its bits as those of classes, if it was published over a grouping."""
        return self.bits if isinstance(self.bits, GroupedBits) else None

    def among(self, names: Iterable[str]) -> Publication:
        """Return what it shows of the vertices one names, as a packed publication of its own.

        A sketch lists no vertices: to draw, to enumerate or to attack it one says of which. What
        comes back is a picture of the bits; the publication is what it was.

        *Cost*: one look-up for each pair of names; 5,000 names have twelve million.

        Raises
        ------
        TooLarge
            If there are more names than that.

        Examples
        --------
        >>> import pathveil as pv
        >>> published = pv.publish(
        ...     pv.Network.parse("ab bc ac"), pv.Walk("abc"), form="sketch", capacity=3
        ... )
        >>> published.among("abc").packed.pairs.same_branch(0, 1)  # a and b, a step of the walk
        False
        """
        asked = self.bits.positions_of(names)
        if len(asked) > MOST_NAMED:
            raise TooLarge(
                f"{len(asked):,} copies of vertices are named, the limit is {MOST_NAMED:,}: every "
                "pair of them is looked at; name fewer, or ask about the pairs you know"
            )
        if self.lists_vertices and self.grouped is None and asked == self.positions:
            return self
        pairs = np.stack(np.triu_indices(len(asked), 1), axis=1)
        shown = PairBits.from_flat(len(asked), self.bits.same_branch(asked, pairs))
        if self.drawing is not None:
            raise NoVertexList("the paper's drawing is of all its vertices; look at it whole")
        return replace(self, bits=PackedBits(asked, shown))

    @property
    def positions(self) -> Positions:
        """The public copies; over a grouping those of the classes."""
        return self.packed.positions

    @property
    def vertices(self) -> tuple[str, ...]:
        """The public names; over a grouping those of the classes."""
        return self.positions.vertices

    def over(self, grouping: Grouping | None) -> Publication:
        """Return the publication with its grouping at hand, so that vertices can be asked about.

        None changes nothing: the publication may have it already, or need none.

        Raises
        ------
        DoesNotFit
            If it was published over another grouping, or over none.
        """
        if grouping is None:
            return self
        if self.grouped is None:
            raise DoesNotFit("a grouping is given, but this publication is over vertices; omit it")
        return replace(self, bits=self.grouped.over(grouping))

    @property
    def sketch(self) -> SketchedBits | None:
        """The sketch it is; None if it is packed."""
        return self.bits if isinstance(self.bits, SketchedBits) else None

    # -- looking --------------------------------------------------------------------------------

    @cached_property
    def layered(self) -> LayeredGraph:
        """The layered graph: carried, or drawn the first time it is asked for, and kept."""
        return self.drawn_again() if self.drawing is None else self.drawing

    def drawn_again(self) -> LayeredGraph:
        """Return the layered graph as the exact engine draws it from what is public."""
        from pathveil.layering.exact import layer_exactly

        packed, upright = self.packed, self.direction is not False
        return layer_exactly(packed.pairs, packed.positions, upright=upright)

    @property
    def layers(self) -> tuple[tuple[Node, ...], ...]:
        """Nodes by layer, top first."""
        return self.layered.layers

    @property
    def arcs(self) -> tuple[tuple[Node, Node], ...]:
        """Cover links as (upper node, lower node)."""
        nodes = self.layered.nodes
        return tuple((nodes[a], nodes[b]) for a, b in self.layered.arcs.tolist())

    def showing(self, layered: LayeredGraph) -> Publication:
        """Return this publication with a drawing that was made elsewhere, of the same bits."""
        shown = Publication(**{name: getattr(self, name) for name in self.__dataclass_fields__})
        shown.__dict__["layered"] = layered  # where cached_property keeps it
        return shown

    # -- files ----------------------------------------------------------------------------------

    # Doors: with the engine above and those of a grouping, the only arrows that point down.

    def save(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write the publication: ``*.veil`` is compact, any other name is ``*.veil.json``.

        Canonical bytes, aside and then renamed. A sketch needs a name that ends with ``.veil``.

        Parameters
        ----------
        overwrite
            Whether to replace a file that is there.

        Raises
        ------
        FileTaken
            If there is one, and it is not to be replaced.

        Examples
        --------
        >>> import pathveil as pv, tempfile
        >>> network, walk = pv.Network.parse("ab bc ac"), pv.Walk("abc")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     pv.publish(network, walk).save(f"{folder}/walk.veil")
        ...     pv.reconstruct(pv.Publication.load(f"{folder}/walk.veil"), network).walk == walk
        True
        """
        from pathveil.files.publications.any_publication import write_publication

        write_publication(self, path, replacing=overwrite)

    @staticmethod
    def load(path: str | Path, *, trust: bool = False) -> Publication:
        """Read a publication, trusting nothing in the file.

        Parameters
        ----------
        trust
            Whether to take the certificate as the file has it. If not, it is computed again from
            the public terms (policy, copies, layering, direction, universe, series, capacity), and
            must be the same, word for word. Only the sizes that the file states for the classes
            of its grouping are believed until that is at hand. A file of a series must also have
            the digest it states.

        Raises
        ------
        FalseCertificate
            If the certificate is not the one that the policy earns.
        BadPublication
            If the file has not the digest it states.

        Examples
        --------
        >>> import pathveil as pv, tempfile
        >>> published = pv.publish(pv.Network.parse("ab bc"), pv.Walk("abc"))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     published.save(f"{folder}/walk.veil.json")
        ...     Publication.load(f"{folder}/walk.veil.json") == published
        True
        """
        from pathveil.checking.certificate_check import read_believable

        return read_believable(path, trust=trust)

    def draw(self) -> str:
        """Return a picture as SVG, which a notebook shows; :func:`pathveil.draw` writes files.

        Examples
        --------
        >>> import pathveil as pv
        >>> pv.publish(pv.Network.parse("ab bc"), pv.Walk("abc")).draw()[:4]
        '<svg'
        """
        from pathveil.drawing.pictures import draw

        return draw(self)

    def __str__(self) -> str:
        lines = [f"{head + ':':22}{words}" for head, words in Verdict.of(self).rows()]
        return "\n".join([repr(self).strip("<>"), *lines])

    def _repr_html_(self) -> str:
        picture = ""
        if self.lists_vertices and len(self.positions) <= MOST_DRAWN:
            picture = f'<div style="max-width: 40em">{self.draw()}</div>'
        rows = [("", repr(self).strip("<>")), *Verdict.of(self).rows()]
        return html_table((), rows) + picture

    def __repr__(self) -> str:
        what = f"{len(self.vertices)} vertices" if self.lists_vertices else "a sketch"
        if self.grouped is not None:
            what = f"over the grouping {self.grouped.digest[:12]}…"
        return f"<Publication: {what}, {self.policy}, {self.layering} layering>"


# -- in words ---------------------------------------------------------------------------------

NOT_COUNTED = "not counted against earlier releases over this network (a ledger counts them)"
COUNTED = "counted by the ledger that published it"
SERIES_COUNTED = "counted by a ledger or `pathveil publish`; pv.publish in Python counts nothing"

JOINS = 4
"""A walk that lacks one link falls into two pieces, which four links at most can join again."""


@dataclass(frozen=True)
class LinkGuess:
    """How well someone who lacks one link of the walk, and knows all else, names it.

    Attributes
    ----------
    before, after
        How many times in 100 a guess among the links that fit is right: by luck (0: not said), and
        with the file.
    certain
        In how many of 100 releases the file leaves the true link as the only one possible.
    caveat
        What makes it worse, in words; empty if nothing does.
    """

    before: int
    after: int
    certain: int
    caveat: str = ""

    def __str__(self) -> str:
        luck = f" ({self.before} by luck)" if self.before else ""
        often = f"{self.after} times in 100{luck}, certain in {self.certain or 'none'}"
        return f"guesses it {often}, if 4 could be it{'; ' if self.caveat else ''}{self.caveat}"


@dataclass(frozen=True)
class Verdict:
    """A publication in words.

    Attributes
    ----------
    readers
        Who reads the whole walk.
    partners
        Who reads only its own places; empty if nobody can.
    lacks_one_link
        What someone who lacks one link of the walk gains; None where the file does not say it.
    public
        What everyone who has the file sees.
    outsiders
        Whether it is counted what outsiders learn from this file and earlier ones together.
    unsafe
        Whether the coins came from a seed.

    Examples
    --------
    >>> import pathveil as pv
    >>> published = pv.publish(pv.Network.parse("ab bc cd bd"), pv.Walk("abcd"))
    >>> verdict = Verdict.of(published)
    >>> print(verdict.public)
    the names of all 4 vertices, no repeat visits, the walk's direction
    >>> verdict.lacks_one_link.before, verdict.lacks_one_link.after, verdict.lacks_one_link.certain
    (25, 47, 13)
    """

    readers: str
    partners: str
    lacks_one_link: LinkGuess | None
    public: str
    outsiders: str
    unsafe: bool

    @classmethod
    def of(
        cls, publication: Publication, *, coded: bool = False, encrypted: bool = False
    ) -> Verdict:
        """Return what a publication means; its names may be codes, its file an envelope."""
        readers = "key holders with the network" if encrypted else "whoever has the whole network"
        if publication.policy.noisy:
            readers += " (most likely: bits may be wrong)"
        alone = NOT_COUNTED if publication.salt is None else COUNTED
        return cls(
            readers=readers,
            partners="" if publication.policy.noisy else "a partner with its own links",
            lacks_one_link=lacks_one_link(publication),
            public=_public(publication, "codes" if coded else "names"),
            outsiders=SERIES_COUNTED if publication.series is not None else alone,
            unsafe=publication.unsafe,
        )

    def rows(self) -> list[tuple[str, str]]:
        """Return (who, what) for a few lines or a table."""
        lines = [
            ("reads the walk", self.readers),
            ("reads its part", f"{self.partners}: which of them the walk uses"),
            ("insider", f"someone lacking one link of the walk {self.lacks_one_link}"),
            ("is public", self.public),
            ("outsiders", self.outsiders),
            ("is unsafe", "the coins came from a seed: for tests only, nothing is protected"),
        ]
        absent = {
            "reads its part": not self.partners,
            "insider": self.lacks_one_link is None,
            "is unsafe": not self.unsafe,
        }
        return [(head, words) for head, words in lines if not absent.get(head)]


def lacks_one_link(publication: Publication) -> LinkGuess | None:
    """Return the chances of someone who lacks one link, at the worst row for four joins.

    Where copies follow visits alone, they are the same for every draw; rows for more are left out.
    """
    rows = [row for row in publication.certificate.identification if row.joins == JOINS]
    by_bits = [row for row in rows if row.by in {"bits", "series"}]
    if _copies(publication) == "1":
        by_bits = [row for row in by_bits if row.copies in {None, (1, 1)}]
    if not by_bits:
        return None
    row = max(by_bits, key=lambda one: float(one.after))
    clues = {one.by for one in rows}
    told = _TOLD if _copies(publication) == "1" and not publication.policy.noisy else ""
    caveat = next((words for clue, words in _CAVEATS.items() if clue in clues), told)
    if publication.grouped is not None:
        caveat = "over classes often fewer could"
    before, after, certain = map(_hundredths, (row.before, row.after, row.certain))
    return LinkGuess(before, after, certain, caveat)


_CAVEATS = {
    "layout": "drawings often give it away",
    "releases": "on two walks, maybe certain",
    "direction": "told a walk's end, at worst always",
}
"""What makes a guess better, the worst first."""
_TOLD = "told both ends of the walk, always"
"""What makes it better even without a direction bit, if each vertex is one copy."""


def _hundredths(decimal: str) -> int:
    """Return a chance as a number of cases in 100, rounded up.

    >>> _hundredths("0.4688"), _hundredths("0.1250"), _hundredths("0.2500"), _hundredths("0.0000")
    (47, 13, 25, 0)
    """
    return int((100 * Decimal(decimal)).to_integral_value(ROUND_CEILING))


def _copies(publication: Publication) -> str | None:
    """Return how many copies each vertex has, if that is public; "visits" where it follows them."""
    given = dict(publication.policy.parameters)
    if given.get("vertex") == "off":
        return "1" if max(publication.positions.counts) == 1 else "visits"
    return given.get("copies")


def _public(publication: Publication, names: str) -> str:
    """Return what everyone who has the file sees."""
    parts: list[str] = []
    sealed = publication.policy.name == "sealed"
    copies = _copies(publication)
    if publication.sketch is not None:
        parts.append(f"a limit on the number of links ({publication.sketch.capacity:,}), no names")
    elif publication.grouped is not None:
        classes = counted(len(publication.vertices), "class", "classes")
        parts.append(f"the {names} of all vertices in {classes}")
    elif sealed or copies != "1":  # in one line
        parts.append(f"all {len(publication.vertices):,} {names}")
    else:
        vertices = counted(len(publication.vertices), "vertex", "vertices")
        parts.append(f"the {names} of all {vertices}")
    if sealed:
        parts.append("unused links")
    if copies is None:
        parts.append("roughly how often each is visited")
    elif copies == "visits":
        parts.append("how often each is visited")
    elif copies == "1":
        parts.append("no repeat visits")
    else:
        parts.append(f"none visited more than {copies} times")
    if publication.universe is not None:
        parts.append(f"that links are among {publication.universe.count:,} pairs")
    if publication.direction is not None:
        parts.append("the walk's direction")
    elif publication.follows_walk:
        parts.append("often its direction")
    return ", ".join(parts)
