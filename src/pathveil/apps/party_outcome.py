"""What a party put in, learnt and can work out: as plain data, and in words."""

from __future__ import annotations

from typing import Any

from pathveil.apps.console import console, facts

BY_ROOT = "told by the paper's rule: the end nearer to a root; it can be wrong"
"""What there is to say of a direction that the paper's layering tells."""


def show_outcome(found: dict[str, Any], *, by_root: bool) -> None:
    """Print what a party learnt, and what follows for it.

    ``by_root`` is whether the paper's layering tells the direction, if it is told.
    """
    rows = [(what, text) for what, text in (("learnt", learnt_text(found)),)]
    rows += [("follows", follows_text(found))]
    if found["order"] == "tie":
        rows.append(("order", "tie: either end may be the first; a coin nobody saw chose"))
    elif by_root:
        rows.append(("order", BY_ROOT))
    rows.append(("wire", f"{found['rounds']} rounds, {found['bytes_sent']:,} bytes sent"))
    console.print(facts(rows))


def learnt_text(found: dict[str, Any]) -> str:
    """Return in words what a party was told."""
    if found["walk"] is not None:
        told = " → ".join(found["walk"])
    else:
        places: dict[str, list[int]] = {}
        for item in found["places"]:
            places.setdefault(item["vertex"], []).extend([item["place"]] if item["place"] else [])
        parts = [
            f"{vertex} at {_numbers(sorted(where))}" if where else f"{vertex} off the walk"
            for vertex, where in places.items()
        ]
        parts += [
            f"{step['from']['vertex']} – {step['to']['vertex']} at "
            f"{step['from']['place']} and {step['to']['place']}"
            for step in found["steps"]
        ]
        told = ", ".join(parts) or "none of its links is on the walk"
    return told + (f"; {found['length']} visits" if found["length"] is not None else "")


def follows_text(found: dict[str, Any]) -> str:
    """Return in words what a curious party can work out besides."""
    if found["walk"] is not None:
        return "it was told everything"
    follows = found["follows"]
    parts = [f"{item['vertex']} at {item['place']}" for item in follows["places"]]
    parts += [
        f"{pair['positions'][0]['vertex']} and {pair['positions'][1]['vertex']} at "
        f"{pair['places'][0]} and {pair['places'][1]}, in either order"
        for pair in follows["swapped"]
    ]
    parts += [
        f"{item['vertex']} at {item['places'][0]} or {item['places'][1]}"
        for item in follows["either"]
    ]
    if found["length"] is None and follows["length"]:
        parts.append(f"{follows['length']} visits")
    elif found["length"] is None and follows["at_least"] > 2:  # every walk has two
        parts.append(f"at least {follows['at_least']} visits")
    return "; ".join(parts) or "nothing"


def _numbers(values: list[int]) -> str:
    return " and ".join(str(value) for value in values)
