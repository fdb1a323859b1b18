"""The sentences of a module, by short names: each is a claim somebody has thought through.

Whoever changes one thinks again who could make it false, then writes down its new name.
"""

from __future__ import annotations

from hashlib import sha256
from types import ModuleType

from pathveil.chance.policy.kind import PolicyKind


def claims(module: ModuleType) -> dict[str, str]:
    """Return a digest of every sentence that is a constant of a module."""
    return {
        name: _digest(text)
        for name, text in vars(module).items()
        if name.isupper() and isinstance(text, str) and " " in text
    }


def options(kind: type[PolicyKind]) -> dict[str, str]:
    """Return a digest of what the command line says of each option of a policy."""
    return {option.name: _digest(f"{option.metavar} {option.help}") for option in kind.options}


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:8]
