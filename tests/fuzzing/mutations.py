"""Ways to spoil a file, and whether a reader survives it. Shared by tests and ``make fuzz``."""

from __future__ import annotations

import random as pseudo
from collections.abc import Callable
from pathlib import Path

from pathveil.errors import PathveilError

Reader = Callable[[Path], object]

HOSTILE = (
    b"[/red]",
    b"[link=x]",
    b"\x1b]0;x\x07",
    b"\x1b[2J",
    "\u202e".encode(),
    b"1e999999999",
    b"9" * 5000,
    b"\x00",
    b"\xff\xfe",
    b"null",
    b"-1",
    b"NaN",
    b"[]",
    b"{}",
    b'"',
    b'{"a":' * 400,
    b"[" * 5000,
    b"<!DOCTYPE x [<!ENTITY a 'b'>]>",
    b"4294967296",
    b"&a;",
    b"1/0",
    b"\r\n",
    b"\xed\xa0\x80",
)


def spoil(content: bytes, random: pseudo.Random) -> bytes:
    """Return the content with one to four changes of the kinds that break readers."""
    data = bytearray(content)
    for _ in range(random.randint(1, 4)):
        place = random.randrange(len(data) + 1)
        kind = random.randrange(7)
        if kind == 0 and data:
            data[min(place, len(data) - 1)] ^= 1 << random.randrange(8)
        elif kind == 1:
            data[place:place] = random.choice(HOSTILE)
        elif kind == 2:
            del data[place : place + random.randint(1, 40)]
        elif kind == 3:
            data[place:place] = data[place : place + random.randint(1, 60)]
        elif kind == 4:
            digits = [i for i, byte in enumerate(data) if 48 <= byte <= 57]
            if digits:
                spot = random.choice(digits)
                data[spot : spot + 1] = str(random.choice((0, 7, 99, 10**6, 10**12))).encode()
        elif kind == 5 and data:
            data[min(place, len(data) - 1)] = random.choice((0, 1, 0x7F, 0x80, 0xFF))
        else:
            data = data[:place]
    return bytes(data)


def survives(path: Path, reader: Reader) -> str | None:
    """Return what a reader did that it must not, or None: it reads, or refuses in our words."""
    try:
        reader(path)
    except PathveilError as error:
        return None if str(error) else "an error without words"
    except (Exception, RecursionError, MemoryError) as error:  # noqa: BLE001 - what we look for
        return f"{type(error).__name__}: {error}"
    return None
