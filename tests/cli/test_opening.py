"""Publications in and out of files: sealed to their readers, or as they are."""

from __future__ import annotations

from pathlib import Path

import pyrage
import pytest

from pathveil import Network, Publication, Seeded, Walk, publish
from pathveil.cli.paths import open_publication, save_publication
from pathveil.errors import BadFile, FalseCertificate

NETWORK, WALK = Network.parse("ab bc cd bd"), Walk("abcd")


@pytest.fixture
def released() -> Publication:
    return publish(NETWORK, WALK, source=Seeded(1))


@pytest.mark.parametrize("name", ["walk.veil", "walk.veil.json"])
def test_a_file_for_everybody_comes_back(tmp_path: Path, released: Publication, name: str) -> None:
    save_publication(released, tmp_path / name, [], replacing=False)
    assert open_publication(tmp_path / name, None) == released


@pytest.mark.parametrize(("name", "compact"), [("walk.veil.age", True), ("w.veil.json.age", False)])
def test_only_readers_open_an_envelope(
    tmp_path: Path,
    released: Publication,
    name: str,
    compact: bool,  # noqa: FBT001
) -> None:
    reader, stranger = (pyrage.x25519.Identity.generate() for _ in range(2))
    (tmp_path / "reader").write_text(f"{reader}\n")
    (tmp_path / "stranger").write_text(f"{stranger}\n")
    save_publication(released, tmp_path / name, [str(reader.to_public())], replacing=False)
    assert open_publication(tmp_path / name, tmp_path / "reader") == released
    inside = pyrage.decrypt((tmp_path / name).read_bytes(), [reader])
    assert (inside[:1] != b"{") == compact, "the name before .age decides the kind"
    with pytest.raises(BadFile, match="--identity"):
        open_publication(tmp_path / name, None)
    with pytest.raises(BadFile):
        open_publication(tmp_path / name, tmp_path / "stranger")


@pytest.mark.parametrize("sealed", [True, False])
def test_a_certificate_is_believed_of_no_file_however_it_came(
    tmp_path: Path,
    released: Publication,
    sealed: bool,  # noqa: FBT001
) -> None:
    released.save(tmp_path / "walk.veil.json")
    text = (tmp_path / "walk.veil.json").read_text("utf-8")
    forged = text.replace("0.6932", "0.0001")
    assert forged != text
    data, identity = forged.encode(), None
    if sealed:
        reader = pyrage.x25519.Identity.generate()
        data, identity = pyrage.encrypt(data, [reader.to_public()]), tmp_path / "reader"
        identity.write_text(f"{reader}\n")
    (tmp_path / "forged").write_bytes(data)
    with pytest.raises(FalseCertificate):
        open_publication(tmp_path / "forged", identity)
    assert open_publication(tmp_path / "forged", identity, trust=True).certificate.rows
