from __future__ import annotations

import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pyrage
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil.errors import BadFile
from pathveil.files.envelopes import is_envelope, open_envelope, read_identities, seal_envelope
from pathveil.files.publications.any_publication import publication_content, publication_from
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.publishing.release import publish_under
from pathveil.publishing.terms import ReleaseTerms

FILE = b'{\n  "format": "pathveil/publication"\n}\n'


def reader() -> tuple[pyrage.x25519.Identity, str]:
    identity = pyrage.x25519.Identity.generate()
    return identity, str(identity.to_public())


# Every file we write ends with a line end or is binary; blanks behind the last line are ours.
FILES = st.binary(max_size=5000) | st.text(max_size=3000).map(lambda t: f"{{{t}\n".encode())


@settings(deadline=None, max_examples=50)
@given(FILES.filter(lambda data: not data.endswith(b" ")))
def test_every_reader_gets_the_file_back_byte_for_byte(data: bytes) -> None:
    readers = [reader() for _ in range(2)]
    sealed = seal_envelope(data, [public for _, public in readers])
    assert is_envelope(sealed)
    for identity, _ in readers:
        assert open_envelope(sealed, [identity]) == data


def test_nobody_else_opens_it_and_a_changed_one_is_refused() -> None:
    identity, public = reader()
    sealed = seal_envelope(FILE, [public])
    with pytest.raises(BadFile, match="other readers"):
        open_envelope(sealed, [reader()[0]])
    for changed in (sealed[:-1], sealed[:-1] + bytes([sealed[-1] ^ 1]), sealed[:40], b""):
        with pytest.raises(BadFile, match="changed or cut off"):
            open_envelope(changed, [identity])


@settings(deadline=None, max_examples=50)
@given(st.integers(2000, 60000), st.integers(0, 50))
def test_the_length_of_a_file_is_hidden_up_to_an_eighth(size: int, more: int) -> None:
    """An outsider who sees two envelopes learns lengths of few sizes, not how the coins fell."""
    identity, public = reader()
    texts = [b"{" + b"x" * n + b"}\n" for n in (size, size + more)]
    inside = [len(pyrage.decrypt(seal_envelope(text, [public]), [identity])) for text in texts]
    for length, text in zip(inside, texts, strict=True):
        assert len(text) <= length <= max(len(text) * 9 / 8, len(text) + 1024)
        assert length % 1024 == 0
    assert inside[1] - inside[0] in {0, *(1024 << k for k in range(5))}


def chain(vertices: int, links: int) -> tuple[Network, Walk]:
    """Return a network with rungs, and a walk of so many links in it."""
    names = [f"v{number:02}" for number in range(vertices)]
    rungs = [(one, other) for one, other in zip(names, names[3:], strict=False)]
    return Network.from_links([*pairwise(names), *rungs]), Walk(names[: links + 1])


SKETCH = ReleaseTerms.of(policy="frontier:walk_loss=4", form="sketch", capacity=80)
TERMS = {
    policy: ReleaseTerms.of(policy=policy)
    for policy in (
        "balanced",
        "sealed",
        "frontier:walk_loss=4",
        "remembering:usage=0.05",
        "two_sided:epsilon=1",
        "sealed:copies=2",
    )
}


@pytest.mark.regression("an encrypted file was shorter or longer by how long its walk was")
@pytest.mark.parametrize("name", ["x.veil.age", "x.veil.json.age"])
@pytest.mark.parametrize("terms", TERMS.values(), ids=TERMS)
def test_the_length_of_an_encrypted_file_says_nothing_of_the_walk(
    terms: ReleaseTerms, name: str
) -> None:
    lengths = set()
    for links in (1, 4, 15, 29):
        network, walk = chain(30, links)
        for one in (walk, walk.reversed()):
            data = publication_content(publish_under(terms, network, one, named=True), name)
            lengths.add(inside(data))
            assert len(data) <= max(lengths)
    assert len(lengths) == 1


def test_so_with_a_sketch() -> None:
    lengths = set()
    for links in (1, 4, 15, 29):
        network, walk = chain(30, links)
        publication = publish_under(SKETCH, network, walk, named=True)
        lengths.add(inside(publication_content(publication, "x.veil.age")))
    assert len(lengths) == 1


def inside(data: bytes) -> int:
    """Return how long a file is in an envelope, from which it comes back as it was."""
    identity, public = reader()
    sealed = seal_envelope(data, [public])
    assert open_envelope(sealed, [identity]) == data
    filled = bytes(pyrage.decrypt(sealed, [identity]))
    again = publication_from(filled)  # as ``age -d`` gives it
    assert publication_content(again, "x.json" if data.startswith(b"{") else "x.veil") == data
    return len(filled)


def test_files_that_were_encrypted_without_filling_up_are_read() -> None:
    network, walk = chain(8, 5)
    publication = publish_under(TERMS["balanced"], network, walk, named=True)
    identity, public = reader()
    keys = [pyrage.x25519.Recipient.from_str(public)]
    for name in ("x.veil", "x.veil.json"):
        data = publication_content(publication, name)
        assert open_envelope(pyrage.encrypt(data, keys), [identity]) == data


@pytest.mark.parametrize("policy", ["balanced", "paper:vertex=1,link=1"])
def test_drawings_that_follow_the_walk_are_filled_up_to_powers_of_two(policy: str) -> None:
    network, walk = chain(10, 5)
    terms = ReleaseTerms.of(policy=policy, layering="backtracking")
    publication = publish_under(terms, network, walk, named=True)
    for name in ("x.veil", "x.veil.json"):
        assert inside(publication_content(publication, name)).bit_count() == 1


def test_recipients_from_a_file(tmp_path: Path) -> None:
    first, second = reader(), reader()
    listed = tmp_path / "readers.txt"
    listed.write_text(f"# who may read\n{first[1]}\n\n{second[1]}\n")
    sealed = seal_envelope(FILE, [listed])
    assert open_envelope(sealed, [second[0]]) == FILE


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
def test_a_reader_may_use_an_ssh_key(tmp_path: Path) -> None:
    key = tmp_path / "id_ed25519"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    sealed = seal_envelope(FILE, [key.with_suffix(".pub").read_text().strip()])
    assert open_envelope(sealed, read_identities(key)) == FILE


def test_identities_are_read_as_age_keygen_writes_them(tmp_path: Path) -> None:
    identity, public = reader()
    file = tmp_path / "me.txt"
    file.write_text(f"# created: today\n# public key: {public}\n{identity}\n")
    assert open_envelope(seal_envelope(FILE, [public]), read_identities(file)) == FILE


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("age1nonsense", "no public key"),
        ("ssh-ed25519 AAAA", "no public key"),
        ("AGE-SECRET-KEY-1XYZ", "keep this one to yourself"),
        ("no-such-file", "neither a public key nor a file"),
    ],
)
def test_a_bad_recipient_is_refused(text: str, words: str) -> None:
    with pytest.raises(BadFile, match=words):
        seal_envelope(FILE, [text])


def test_a_file_without_keys_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.write_text("# nobody\n")
    with pytest.raises(BadFile, match="no recipient"):
        seal_envelope(FILE, [empty])
    for text in ("", "hello\n", "-----BEGIN OPENSSH PRIVATE KEY-----\nrubbish\n"):
        empty.write_text(text)
        with pytest.raises(BadFile, match="holds no identity"):
            read_identities(empty)
