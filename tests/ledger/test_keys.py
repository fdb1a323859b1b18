from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil import Network, Walk
from pathveil.errors import BadKey, LedgerBroken
from pathveil.ledger.keys import Keyring, create_key, load_key


def test_a_key_is_its_owners_alone_and_comes_back(tmp_path: Path) -> None:
    ring = create_key(tmp_path / "key")
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    assert load_key(tmp_path / "key").text("x") == ring.text("x")


def test_planted_links_and_exposed_keys_are_refused(tmp_path: Path) -> None:
    create_key(tmp_path / "key")
    (tmp_path / "link").symlink_to(tmp_path / "key")
    with pytest.raises(BadKey, match="symbolic link"):
        load_key(tmp_path / "link")
    (tmp_path / "nowhere").symlink_to(tmp_path / "made")
    with pytest.raises(BadKey):
        create_key(tmp_path / "nowhere")
    assert not (tmp_path / "made").exists()
    (tmp_path / "key").chmod(0o640)
    with pytest.raises(BadKey, match="chmod 600"):
        load_key(tmp_path / "key")


@pytest.mark.parametrize("text", ["", "rubbish", "pathveil-ledger-key-1 !!!", "x " + "A" * 44])
def test_what_is_no_key_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "key").write_text(text)
    (tmp_path / "key").chmod(0o600)
    with pytest.raises(BadKey, match="is no key"):
        load_key(tmp_path / "key")
    with pytest.raises(BadKey):
        load_key(tmp_path)
    with pytest.raises(BadKey, match="cannot be read"):
        load_key(tmp_path / "none")


def test_fingerprints_tell_apart_what_is_different_and_nothing_else() -> None:
    ring = Keyring(b"k" * 32)
    assert ring.walk(Walk(["ab", "c"])) != ring.walk(Walk(["a", "bc"]))
    assert ring.walk(Walk("abc")) != ring.walk(Walk("cba"))
    one, same = Network.parse("ab bc"), Network.from_links([("c", "b"), ("b", "a")])
    assert ring.network(one) == ring.network(same)
    assert ring.network(one) != ring.network(Network.parse("ab bc ac"))
    assert ring.network(one) != ring.network(Network.parse("xy yz"))
    other = Keyring(b"l" * 32)
    assert other.network(one) != ring.network(one)
    assert other.walk(Walk("abc")) != ring.walk(Walk("abc"))
    assert other.chain("", "x") != ring.chain("", "x")


def test_a_seal_opens_only_where_it_belongs() -> None:
    ring = Keyring(b"k" * 32)
    sealed = ring.seal(b"secret", about="release 1")
    assert b"secret" not in sealed
    assert sealed != ring.seal(b"secret", about="release 1")
    for broken, about in ((sealed, "release 2"), (sealed[:-1], "release 1"), (b"", "release 1")):
        with pytest.raises(LedgerBroken, match="does not open"):
            ring.unseal(broken, about=about)
    with pytest.raises(BadKey, match="32 bytes"):
        Keyring(b"short")
    assert "k" * 4 not in repr(ring)


@given(data=st.binary(max_size=300), room=st.integers(1, 200))
def test_what_has_room_opens_and_is_as_long_as_the_room(data: bytes, room: int) -> None:
    ring = Keyring(b"k" * 32)
    sealed = ring.seal(data, about="row", room=room)
    assert ring.unseal(sealed, about="row") == data
    assert ring.unseal(ring.seal(data, about="row"), about="row") == data
    doubled = (len(sealed) - 36) // room
    assert doubled.bit_count() == 1
