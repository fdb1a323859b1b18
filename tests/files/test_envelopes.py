from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pyrage
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil.errors import BadFile
from pathveil.files.envelopes import is_envelope, open_envelope, read_identities, seal_envelope

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
