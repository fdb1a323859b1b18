"""The table of forms; and one more form, made here, goes all the way without another change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from pathveil import Knowledge, Network, Publication, Seeded, Walk, attack, publish, reconstruct
from pathveil.chance.history import History
from pathveil.chance.source import Source
from pathveil.checking.verification import verify_publication
from pathveil.errors import TooLarge
from pathveil.files.publications.container import Container, pack
from pathveil.model import forms
from pathveil.model.bits import BoolArray, IndexArray, PackedBits, PairBits
from pathveil.model.forms import FORMS, Form, FormOfBits, form_named
from pathveil.model.positions import Positions
from pathveil.publishing.release import publish_packed
from pathveil.publishing.terms import ReleaseTerms
from tests.chance.written import require_as_written

NETWORK, WALK = Network.parse("ab bc cd de ef bd"), Walk("abcdef")
SPARSE: Any = "sparse"
SENTENCE = "Pairs in one branch are listed, so the length of the file tells how many there are."


def test_every_name_has_its_row() -> None:
    assert get_args(Form) == FORMS
    assert [form_named(name).name for name in FORMS] == list(FORMS)
    with pytest.raises(ValueError, match="form is 'other', expected one of packed, sketch"):
        form_named("other")


def test_what_certificates_say_of_forms_is_written_down_and_was_read() -> None:
    require_as_written("balanced")


@dataclass(frozen=True)
class SparseBits:
    """Packed bits that are kept as the list of pairs in one branch."""

    packed: PackedBits
    form: Form = SPARSE
    capacity: None = None

    @property
    def names(self) -> tuple[str, ...]:
        return self.packed.names

    def listed(self) -> PackedBits:
        return self.packed

    def require_over(self, network: Network) -> None:
        self.packed.require_over(network)

    def content(self) -> bytes:
        return b"sparse" + self.packed.content()

    def positions_of(self, names: Iterable[str]) -> Positions:
        return self.packed.positions_of(names)

    def same_branch(self, asked: Positions, pairs: IndexArray) -> BoolArray:
        return self.packed.same_branch(asked, pairs)


def publish_sparse(
    network: Network,
    walks: Sequence[Walk],
    terms: ReleaseTerms,
    source: Source,
    *,
    after: History,
    unlinked: Sequence[tuple[str, str]] = (),
) -> tuple[Publication, ...]:
    found = publish_packed(network, walks, terms, source, after=after, unlinked=unlinked)
    return tuple(replace(one, bits=SparseBits(one.packed)) for one in found)


def write_sparse(bits: SparseBits) -> tuple[dict[str, Any], list[Any]]:
    rows = bits.packed.pairs.pairs().astype("<u4")
    return {"names": list(bits.names)}, [pack("pairs", rows.tobytes())]


def read_sparse(container: Container, facts: dict[str, Any]) -> SparseBits:
    del facts
    names = container.facts["names"]
    rows = np.frombuffer(container.read("pairs", limit=1 << 20).tobytes(), dtype="<u4")
    positions = Positions.uniform(tuple(names), 1)
    ends = [(int(i), int(j)) for i, j in rows.reshape(-1, 2)]
    pairs = PairBits.from_pairs(len(names), ends)
    return SparseBits(PackedBits(positions, pairs))


PUBLISHED = publish(NETWORK, WALK, source=Seeded(3))


@pytest.fixture
def sparse(monkeypatch: pytest.MonkeyPatch) -> Publication:
    row = FormOfBits(
        SPARSE,
        publish_sparse,
        write_sparse,
        read_sparse,
        facts=("names",),
        sections=("pairs",),
        sentences=(SENTENCE,),
        manner="sparse",
    )
    monkeypatch.setattr(forms, "_FORMS", (*forms.all_forms(), row))
    return publish(NETWORK, WALK, form=SPARSE, source=Seeded(3))


def test_another_form_is_drawn_read_and_attacked(sparse: Publication) -> None:
    assert isinstance(sparse.bits, SparseBits)
    assert repr(sparse) == repr(PUBLISHED)
    assert sparse.layers == PUBLISHED.layers
    assert reconstruct(sparse, NETWORK).walk == WALK
    assert all(finding.holds for finding in verify_publication(sparse, NETWORK, WALK))
    less = Knowledge(NETWORK.without(("c", "d")))
    assert attack(sparse, less).rows() == attack(PUBLISHED, less).rows()


def test_another_form_adds_what_it_says_to_the_certificate(sparse: Publication) -> None:
    said = sparse.certificate.not_protected
    assert SENTENCE in said
    assert [line for line in said if line != SENTENCE] == list(PUBLISHED.certificate.not_protected)


def test_another_form_is_saved_and_read_again(sparse: Publication, tmp_path: Path) -> None:
    sparse.save(tmp_path / "x.veil")
    with pytest.raises(TooLarge, match=r"is sparse has no drawing .* ends with \.veil"):
        sparse.save(tmp_path / "x.veil.json")
    again = Publication.load(tmp_path / "x.veil")
    assert again == sparse
    assert isinstance(again.bits, SparseBits)
