"""Losses and other numbers as JSON has a form for them."""

from __future__ import annotations

from math import isfinite, isnan
from typing import Any

from pathveil.model.certificate import Loss
from pathveil.model.universe import Universe


def loss_data(loss: Loss) -> dict[str, str]:
    """Return a loss."""
    return {"expression": loss.expression, "decimal": loss.decimal}


def decimal_data(loss: float) -> dict[str, str | None]:
    """Return a loss that has no closed form."""
    return {"expression": None, "decimal": str(loss)}


def universe_data(universe: Universe | None) -> dict[str, Any] | None:
    """Return which universe it is, without its pairs."""
    return None if universe is None else {"count": universe.count, "digest": universe.digest}


def finite(value: Any) -> Any:
    """Return a value that JSON has a form for."""
    if not isinstance(value, float) or isfinite(value):
        return value
    return None if isnan(value) else str(value)
