"""The sentences of a module, by short names: each is a claim somebody has thought through.

Whoever changes one thinks again who could make it false, then writes down its new name.
"""

from __future__ import annotations

from hashlib import sha256
from types import ModuleType


def claims(module: ModuleType) -> dict[str, str]:
    """Return a digest of every sentence that is a constant of a module."""
    return {
        name: sha256(text.encode()).hexdigest()[:8]
        for name, text in vars(module).items()
        if name.isupper() and isinstance(text, str) and " " in text
    }
