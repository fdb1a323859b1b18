"""What somebody who checks finds: a claim of a file or a ledger, and whether it holds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One claim, whether it holds, and if not, why.

    ``holds`` is None where it was not checked; ``detail`` then says what to bring.
    """

    claim: str
    holds: bool | None
    detail: str = ""
