"""Auditing real releases: what ``publish`` hands out, in the two worlds a certificate compares.

The world *with* a link is the custodian's, drawn by ``publish`` itself. In the world *without* it
the same code draws the link's copy pairs like those of any pair that is no link. An adversary is
granted how copies are handed to visits, so the hand-out is drawn once and then the same in every
release of both worlds. With a universe both worlds have coins on its pairs alone: the link is one
of them, or nobody could miss it.

Looked at is all that a file says. Bits and direction come from the secret through coins, and a salt
is random by itself. All the rest follows from them and from the public terms: names, policy, the
certificate that the policy earns, flags, every order of a list, and a drawing where the file must
carry one (any other is drawn from the bits by those who look). So a release is made again from its
bits, direction and salt and from nothing else, and written; where the file handed out is another
one, it is said in which part. Whether that gives anything away is for the judge to say,
:func:`pathveil.checking.auditing.audit`, which knows nothing of all this.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from pathveil.chance.copies import LiftedWalk, draw_copies
from pathveil.chance.losses import Missing, losses_of
from pathveil.chance.source import Source, System
from pathveil.checking.auditing import VIEWS, Audit, Pile, audit, judge_piles, rows_needed, worst
from pathveil.errors import BadNetwork, BadPublication
from pathveil.files.publications.veil_json import publication_text, text_without_drawing
from pathveil.layering.backtracking import draw_in_walk_order
from pathveil.model.bits import IndexArray, PackedBits, link_places, pair_count
from pathveil.model.layered import follows_walk
from pathveil.model.network import Network
from pathveil.model.publication import SALT_BYTES, Publication, SeriesPlace
from pathveil.model.series import release_digest
from pathveil.model.walk import Walk
from pathveil.policies import Policy
from pathveil.publishing.release import publish_under
from pathveil.publishing.terms import ReleaseTerms

BOTH = (True, False)
"""The two worlds: with the link, and without it."""


class Replayed:
    """A source that repeats some bytes and then goes on with fresh ones; ``given`` is all of it."""

    def __init__(self, first: bytes, rest: Source) -> None:
        self._first, self._rest = first, rest
        self.unsafe = rest.unsafe
        self.given = b""

    def take(self, count: int) -> bytes:
        """Return the next bytes."""
        now, self._first = self._first[:count], self._first[count:]
        now = now if len(now) == count else now + self._rest.take(count - len(now))
        self.given += now
        return now


FOLLOWING = frozenset({"bits", "direction", "nodes", "layers", "arcs", "salt", "series"})
"""Parts of a file that vary with the coins: of these only *that* they are wrong can be counted."""

Writer = Callable[[Publication], str | bytes]
Difference = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, repr=False)
class LinkRelease:
    """Releases of a walk, with a link (True) or in the world without it (False).

    Examples
    --------
    >>> from pathveil.chance.source import Seeded
    >>> network, terms = Network.parse("ab bc"), ReleaseTerms(Policy.sealed())
    >>> release = LinkRelease(network, Walk("abc"), terms, ("a", "b")).with_fixed_copies(Seeded(1))
    >>> one = release(True, Seeded(1))
    >>> release.own_bits(one)
    (False,)
    >>> release.due(one) == one, release.beyond(one, publication_text(one))
    (True, ())
    >>> release.beyond(one, publication_text(one).replace('"unsafe": true', '"unsafe": false'))
    (('unsafe', '6'),)
    """

    network: Network
    walk: Walk
    terms: ReleaseTerms
    link: tuple[str, str]
    handout: bytes = field(default=b"", compare=False)
    unsafe: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        self.walk.require_in(self.network)
        u, v = sorted(self.link)
        object.__setattr__(self, "link", (u, v))
        if not self.network.has_edge(u, v):
            raise BadNetwork(f"{u!r} - {v!r} is not a link of the network, so nobody can lack it")
        if self.terms.universe is not None:
            self.terms.universe.require_holds(self.network)

    # -- drawing --------------------------------------------------------------------------------

    def with_fixed_copies(self, source: Source) -> LinkRelease:
        """Return the same with one hand-out of copies, drawn now, for all releases."""
        recorded = Replayed(b"", source)
        draw_copies(self.network, self.walk, self.terms.policy, recorded)
        return replace(self, handout=recorded.given, unsafe=source.unsafe)

    def __call__(self, known: bool, source: Source) -> Publication:  # noqa: FBT001
        """Return one release.

        Raises
        ------
        BadPublication
            If its salt is not what the source gave last: what else it may be made from, no look at
            releases can tell.
        """
        coins = Replayed(self.handout, source)
        released = publish_under(
            self.terms,
            self.network,
            self.walk,
            source=coins,
            unlinked=() if known else (self.link,),
        )
        if released.salt is not None and released.salt != coins.given[-SALT_BYTES:].hex():
            raise BadPublication(
                "the salt of a release is not what the source of coins gave last, so it may be "
                "made from the secret, which no number of releases can show or exclude; take it "
                "from the source, behind the coins"
            )
        return released

    # -- looking --------------------------------------------------------------------------------

    @cached_property
    def lifted(self) -> LiftedWalk:
        """The hand-out: the walk over its copies. Granted to the adversary."""
        coins = Replayed(self.handout, System())
        return draw_copies(self.network, self.walk, self.terms.policy, coins)

    @cached_property
    def own(self) -> IndexArray:
        """The places of the link's copy pairs."""
        return link_places(self.lifted.positions, self.link)

    def own_bits(self, one: Publication) -> tuple[bool, ...]:
        """Return the published bits of the link's copy pairs, in the order of the copies."""
        return tuple(one.packed.pairs.flat()[self.own].tolist())

    def is_due(self, one: Publication) -> bool:
        """Return whether all facts are as due that are neither bits, direction and salt."""
        return all(getattr(one, name) == fact for name, fact in self._facts.items())

    # -- what is due ----------------------------------------------------------------------------

    def due(self, one: Publication) -> Publication:
        """Return the publication with these bits, direction and salt, made from the terms."""
        path, pairs, drawing = self.lifted, one.packed.pairs, None
        if follows_walk(self.terms.layering):
            # The paper's layout, drawn again in the walk's order, which both worlds share.
            drawing = draw_in_walk_order(pairs, path.positions, path.visits)
        made = Publication(
            bits=PackedBits(path.positions, pairs),
            direction=one.direction,
            drawing=drawing,
            salt=one.salt,
            **self._facts,
        )
        if not self.terms.remembers:
            return made
        return replace(made, series=SeriesPlace(1, None, release_digest(1, None, made)))

    @cached_property
    def _facts(self) -> dict[str, Any]:
        """All that is neither bits, direction and salt nor follows from them."""
        return {
            "policy": self.terms.policy.terms(),
            "layering": self.terms.layering,
            "universe": self.terms.universe,
            "certificate": self.terms.certificate(),
            "unsafe": self.unsafe or self.terms.unsafe,
        }

    def beyond(self, one: Publication, content: str | bytes) -> Difference:
        """Return in which parts a file is not what it is due to be; nothing if it is."""
        made = self.due(one)
        if made.drawing is None and content == text_without_drawing(made):
            return ()
        due = publication_text(made)
        if content == due:
            return ()
        pairs = enumerate(zip(content, due, strict=False))
        first = next((place for place, (a, b) in pairs if a != b), min(len(content), len(due)))
        whole = (("bytes", str(len(content) - len(due)), str(first)),)
        return _parts_apart(content, due) or whole

    def __repr__(self) -> str:
        return f"<LinkRelease: {self.terms.policy!r}>"


def _parts_apart(content: str | bytes, due: str) -> Difference:
    """Return which parts of a JSON file are other ones than they are due to be."""
    try:
        found, wanted = json.loads(content), json.loads(due)
    except ValueError:
        return ()
    if not isinstance(found, dict):
        return ()
    apart = [key for key in {**wanted, **found} if found.get(key) != wanted.get(key)]
    return tuple((key,) if key in FOLLOWING else (key, _short(found.get(key))) for key in apart)


def _short(value: object) -> str:
    """Return one of sixteen digits for a value: enough to count, few enough to be counted."""
    return sha256(repr(value).encode()).hexdigest()[0]


SAMPLES = 6_000
"""Releases that confirm on each side if nobody says how many."""

FILES = 300
"""Files written and compared with their canonical form, on each side."""


def claim(
    policy: Policy, *, on_walk: bool, copies: tuple[int, int] = (1, 1), uses: int = 1
) -> tuple[str, float, float]:
    """Return whose claim is audited, and the claimed loss with the link and without it.

    Our policies are held to their certificate. The paper's are held to its Theorem 1 (Lemma 2
    where the vertex budget is off), which claims one number both ways round; where it claims
    nothing, as without a link budget, to the exact loss for the copies that were drawn.
    """
    theorem = policy.kind.claimed()
    if theorem is not None:
        whose, loss = theorem
        return whose, float(loss), float(loss)
    if policy.copies is None:
        exact = losses_of(policy, Missing(on_walk=on_walk, uses=uses, copies=copies))
        presence, absence = exact.presence.loss(), exact.absence.loss()
        return "loss for these copies", float(presence), float(absence)
    row = policy.certificate().bound(walk_links=int(on_walk), other_links=int(not on_walk))
    assert row is not None, "a public number of copies has a loss"
    return "certificate", float(row.presence), float(row.absence)


def releases_drawn(samples: int) -> int:
    """Return how many releases an audit draws in all, in both worlds.

    >>> releases_drawn(6_000)
    21600
    """
    return 2 * (rows_needed(samples) + FILES)


def audit_release(
    release: LinkRelease,
    *,
    samples: int = SAMPLES,
    confidence: float = 0.999,
    source: Source | None = None,
    write: Writer | None = None,
) -> Audit:
    """Return the loss of real releases at one link, measured, against what is claimed of it.

    The loss found is the largest over all views of the file; the confidence is for all of them
    together. Judged are the bits of the link's own copy pairs; each other bit of the file beside
    them, those that differ most in a first part of the draws; the direction; and of some files,
    written out, in which part they are not what is due.

    *Cost*: three and a half releases for each sample, and a few files.
    """
    source = source or System()
    release = release.with_fixed_copies(source)
    rows = rows_needed(samples)
    piles = {known: draw_pile(release, rows, source, known=known) for known in BOTH}
    files = {known: _files(release, known, write or _written, source) for known in BOTH}
    (u, v), positions = release.link, release.lifted.positions
    copies = (len(positions.copies_of(u)), len(positions.copies_of(v)))
    policy, uses = release.terms.policy, release.walk.uses[u, v]
    claimed = claim(policy, on_walk=uses > 0, copies=copies, uses=max(uses, 1))[1:]
    shared: dict[str, Any] = {"confidence": confidence, "tests": VIEWS + 1, "source": source}
    audits = judge_piles(piles, claimed, samples=samples, **shared)
    shared |= {"claimed": claimed, "samples": FILES * 2 // 3}
    written = audit(lambda known, _: files[known].pop(), BOTH, **shared)
    return worst([*audits, written], samples, confidence)


def draw_pile(release: LinkRelease, rows: int, source: Source, *, known: bool) -> Pile:
    """Return ``rows`` releases of one world, as bits: those of pairs, then all others.

    Those are the salt's, and one that says whether a fact is not as due.
    """
    packed, told, odd = [], [], []
    for _ in range(rows):
        one = release(known, source)
        packed.append(one.packed.pairs.packed.tobytes() + bytes.fromhex(one.salt or ""))
        told.append(-1 if one.direction is None else int(one.direction))
        odd.append(not release.is_due(one))
    table = np.frombuffer(b"".join(packed), dtype=np.uint8).reshape(rows, -1)
    bits = np.unpackbits(table, axis=1).view(np.bool_)
    pairs, salt = pair_count(one.packed.pairs.size), 8 * len(one.packed.pairs.packed)
    columns = np.column_stack([bits[:, :pairs], bits[:, salt:], odd])
    return Pile(columns, np.array(told, dtype=np.int8), release.own)


def _written(one: Publication) -> str:
    """Return what a file says, without a drawing that anybody can make from the rest."""
    return text_without_drawing(one) if one.drawing is None else publication_text(one)


def _files(release: LinkRelease, known: bool, write: Writer, source: Source) -> list[Hashable]:  # noqa: FBT001
    """Return of some files what they say beyond what is due, beside the link's own bits."""
    made = (release(known, source) for _ in range(FILES))
    return [(release.own_bits(one), release.beyond(one, write(one))) for one in made]
