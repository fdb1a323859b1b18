"""Envelopes: a publication encrypted to the readers who hold keys (age, an extra).

Then there is no outsider: who holds no key sees how many readers there are, of SSH keys which, and
how long the file is, and nothing else. The publication inside is what it would have been without:
it protects its links among those who may open it, and from everybody should one of them pass it on.

Envelopes are age files (``age-encryption.org/v1``), so ``age -d`` opens them as well. The length of
a publication depends on its coins and on how long the walk is. In an envelope blanks follow it, up
to the length of the longest file with the same public facts, rounded up to one of few lengths; they
are taken off again on opening. So the size tells, roughly, what the form, the policy and the public
lists (names, copies, classes, universe) amount to, or the capacity of a sketch; in a series, where
random digests are packed with them, chance may make one step of it. Of the walk the size tells
nothing, unless the numbers of copies follow the walk (the paper's policy) or the drawing does (the
paper's engine, whose files are filled up to a power of two): there it may tell something.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pathveil.errors import BadFile, BadPublication, MissingExtra
from pathveil.files.atomic_write import SIZE_LIMIT, open_file, shorten
from pathveil.files.publications.compact import longest_compact
from pathveil.files.publications.container import MAGIC, Container
from pathveil.files.publications.veil_json import longest_json

_HEADS = (b"age-encryption.org/v1\n", b"-----BEGIN AGE ENCRYPTED FILE-----")
_SECRET = "AGE-SECRET-KEY-"  # noqa: S105 - how such keys begin
_SSH_SECRET = "-----BEGIN"  # noqa: S105 - how such keys begin
_LARGEST_KEYS = 1024 * 1024
_FINEST = 1024
_LONGEST = SIZE_LIMIT - SIZE_LIMIT // 2048  # an envelope's own part is half as much


def new_key_pair() -> tuple[str, str]:
    """Return a new age key pair as text: the secret key, the public key.

    >>> secret, public = new_key_pair()
    >>> secret.startswith("AGE-SECRET-KEY-"), public.startswith("age1")
    (True, True)
    """
    identity = _age().x25519.Identity.generate()
    return str(identity), str(identity.to_public())


def is_envelope(data: bytes) -> bool:
    r"""Return whether bytes are the beginning of an envelope.

    >>> is_envelope(b"age-encryption.org/v1\n-> X25519 ..."), is_envelope(b'{"format": ...')
    (True, False)
    """
    return data.startswith(_HEADS)


def seal_envelope(data: bytes, recipients: Sequence[str | Path]) -> bytes:
    r"""Return a file encrypted to recipients, each of whom can open it alone.

    Parameters
    ----------
    recipients
        Public keys (``age1...``, ``ssh-ed25519 ...``, ``ssh-rsa ...``), or files of them, one a
        line.

    Examples
    --------
    >>> import pyrage
    >>> reader = pyrage.x25519.Identity.generate()
    >>> sealed = seal_envelope(b"{}\n", [str(reader.to_public())])
    >>> open_envelope(sealed, [reader])
    b'{}\n'
    """
    return sealing(recipients)(data)


def sealing(recipients: Sequence[str | Path]) -> Callable[[bytes], bytes]:
    """Return what seals files to these recipients, whose keys are checked now."""
    keys = [_recipient(text, where) for text, where in _listed(recipients)]
    age = _age()
    return lambda data: bytes(age.encrypt(_filled(data), keys))


def open_envelope(data: bytes, identities: Sequence[Any], where: str = "envelope") -> bytes:
    """Return the file inside an envelope.

    Raises
    ------
    BadFile
        Where none of the identities is one of its readers, or it was changed.
    """
    age = _age()
    try:
        found = bytes(age.decrypt(data, list(identities)))
    except age.DecryptError:
        raise BadFile(
            f"{where}: does not open with this identity: it was sealed to other readers, or was "
            "changed or cut off on the way; check the identity file, or ask for the file again"
        ) from None
    if found.startswith(MAGIC):
        with suppress(BadPublication):  # what is wrong with it is said when it is read
            return found[: Container(found, where).length]
    text = found.rstrip(b" ")
    return text if text.startswith(b"{") and text.endswith(b"\n") else found


def read_identities(path: str | Path) -> list[Any]:
    """Return the secret keys in a file: lines ``AGE-SECRET-KEY-...``, or an SSH private key."""
    age = _age()
    if str(path).startswith(("age1", "ssh-")) and not Path(path).exists():
        raise BadFile(
            f"{shorten(str(path))}: is a public key; --identity takes the name of the file that "
            "holds your secret key"
        )
    with open_file(path, limit=_LARGEST_KEYS) as file:
        data = file.read()
    text = data.decode("utf-8", "replace")
    try:
        if text.lstrip().startswith(_SSH_SECRET):
            return [age.ssh.Identity.from_buffer(data)]
        lines = [line.strip() for line in text.splitlines()]
        found = [age.x25519.Identity.from_str(line) for line in lines if line and line[0] != "#"]
    except age.IdentityError:
        found = []
    if not found:
        raise BadFile(
            f"{path}: holds no identity; expected lines 'AGE-SECRET-KEY-...' as age-keygen writes "
            "them, or an SSH private key without a passphrase"
        )
    return found


def _age() -> Any:
    try:
        import pyrage
    except ImportError:
        raise MissingExtra("envelopes", "pyrage") from None
    return pyrage


def _listed(recipients: Sequence[str | Path]) -> list[tuple[str, str]]:
    """Return each public key once, with where it stands."""
    found: dict[str, str] = {}
    for given in recipients:
        if str(given).startswith(("age1", "ssh-", _SECRET)):
            found.setdefault(str(given).strip(), "recipient")
            continue
        if not Path(given).is_file():
            raise BadFile(
                f"the recipient {shorten(str(given))} is neither a public key nor a file of them; "
                "expected 'age1...', 'ssh-ed25519 ...' or the name of a file with one on each line"
            )
        with open_file(given, limit=_LARGEST_KEYS) as file:
            lines = file.read().decode("utf-8", "replace").splitlines()
        for number, line in enumerate(lines, start=1):
            if line.strip() and not line.startswith("#"):
                found.setdefault(line.strip(), f"{given}, line {number}")
    if not found:
        raise BadFile("no recipient; give at least one public key, or a file with one a line")
    return list(found.items())


_EXPECTED = "expected 'age1...' or 'ssh-ed25519 ...'"
_MISTYPED = "a character is wrong or missing: copy the key again, whole, or ask its reader for it"


def _recipient(text: str, where: str) -> Any:
    age = _age()
    if text.startswith(_SECRET):
        raise BadFile(
            f"{where}: is a secret key; give the public one, which begins with 'age1', and keep "
            "this one to yourself"
        )
    try:
        if text.startswith("ssh-"):
            return age.ssh.Recipient.from_str(text)
        return age.x25519.Recipient.from_str(text)
    except age.RecipientError:
        raise BadFile(
            f"{where}: {shorten(text)} is no public key; "
            + (_MISTYPED if text.startswith(("age1", "ssh-")) else _EXPECTED)
        ) from None


def _filled(data: bytes) -> bytes:
    """Return a file with blanks behind it, up to one of few lengths."""
    try:
        if data.startswith(MAGIC):
            longest = longest_compact(data)
        elif data.startswith(b"{") and data.endswith(b"\n"):
            longest = longest_json(data)
        else:
            return data
    except BadPublication:
        return data
    size = max(longest, len(data))
    step = max(_FINEST, 1 << max(size.bit_length() - 4, 0))
    return data.ljust(min(-(-size // step) * step, _LONGEST), b" ")
