"""What a comparison allows one to say, sentence by sentence, each by a rule from the table.

"Can definitely infer" means success above 0.99, by the lower end of its interval, and a gain over
the best answer without a release. Each system is judged by budget, with the attack that gains most
on it and the control that does best on its map. No sentence here is written for a figure known
beforehand: change the table and the words change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pathveil.lab.baselines.controls import CONTROLS
from pathveil.lab.baselines.figure1 import ATTACKS
from pathveil.lab.baselines.scoring import CERTAIN, FEWEST_TRIALS, certainty_trials
from pathveil.lab.comparison.result_tables import Record, rounded, share, strongest
from pathveil.lab.comparison.systems import FIVE, SYSTEMS

LITERAL = "nearest"
"""Figure 1's own attack: nearest vertices of consecutive published points."""
RESTRICTED = "joins"
"""The same among the joins the adversary holds."""
UNIVERSAL = "pathveil balanced, universe"


def maps_of(records: Iterable[Record]) -> list[str]:
    """Return the maps of a table, in its order."""
    return list(dict.fromkeys(record["map"] for record in records))


def budgets_of(records: Iterable[Record]) -> list[float]:
    """Return the budgets of a table, ascending."""
    return sorted({float(record["budget"]) for record in records})


def is_ours(system: str) -> bool:
    """Return whether a row is one of our policies."""
    return system not in SYSTEMS


def judge(records: Sequence[Record], *, each_budget: bool = True) -> list[str]:
    """Return the verdict on "can definitely infer the privacy from the published path", by map.

    Parameters
    ----------
    each_budget
        Whether to say budget by budget what the best attack does; else a table has to.
    """
    sentences = []
    for name in maps_of(records):
        mine = [r for r in records if r["map"] == name]
        head = f"{name}: " if name else ""
        five = [r for r in mine if r["system"] in FIVE]
        if not five:
            sentences.append(
                f"{head}none of the five systems was run, so the paper's sentence was not tested."
            )
            continue
        if min(r["trials"] for r in five) < FEWEST_TRIALS:
            sentences.append(
                f"{head}{min(r['trials'] for r in five)} trials are too few for a verdict; "
                f"{FEWEST_TRIALS} are needed."
            )
            continue
        sentences.append(head + _literal(five))
        if each_budget:
            sentences += [head + sentence for sentence in _best(mine)]
    return sentences


def _literal(five: Sequence[Record]) -> str:
    """Return how Figure 1's own attack does, against each control it can be held to."""
    literal = [r for r in five if r["attack"] == LITERAL]
    joins = [r for r in five if r["attack"] == RESTRICTED]
    top = max(literal, key=lambda r: float(r["success"]))
    certain = sum(r["low"] > CERTAIN for r in literal)
    systems = ", ".join(dict.fromkeys(r["system"] for r in literal))
    return (
        f"Figure 1's literal attack finds the edge definitely in {certain} of {len(literal)} cells "
        f"({systems}; each budget). Guessing among all absent pairs, as it does, it beats that "
        f"guess (G0) in {_cells(literal, 'over_g0_low')}; it beats the guess among the possible "
        f"joins (G1) in {_cells(literal, 'over_g1_low')}. Restricted to those joins, which the "
        f"adversary holds, it beats G1 in {_cells(joins, 'over_g1_low')}, and the best answer "
        f"without a release ({top['control']}, {share(top['control_success'])}) in "
        f"{_cells(joins, 'difference_low')}. Its best as drawn is {share(top['success'])} "
        f"[{share(top['low'])}, {share(top['high'])}] on {top['system']} at {top['budget']:g}."
    )


def _cells(records: Sequence[Record], column: str) -> str:
    """Return how many cells lie above zero, and at which budgets."""
    won = [r for r in records if r[column] > 0]
    at = ", ".join(
        f"{sum(r['budget'] == b for r in won)} at {b:g}"
        for b in budgets_of(records)
        if any(r["budget"] == b for r in won)
    )
    return f"{len(won)} of {len(records)} cells" + (f" ({at})" if at else "")


def _best(records: Sequence[Record]) -> list[str]:
    """Return, budget by budget, what the best attack does against the best control."""
    best = strongest(records)
    out = []
    for budget in budgets_of(best):
        here = [r for r in best if r["budget"] == budget]
        parts = []
        for words, verdict in (
            ("the best attack finds the edge definitely on", "definitely"),
            ("it gains on the best control on", "leaks"),
            ("no gain is shown on", "no leak shown"),
        ):
            names = [r["system"] for r in here if r["verdict"] == verdict]
            if names:
                parts.append(f"{words} {_listed(names)}")
        unsound = [f"{r['system']} ({r['attack']})" for r in here if "unsound" in r["verdict"]]
        if unsound:
            parts.append(f"not to be trusted, for they find it in a placebo: {_listed(unsound)}")
        if parts:
            out.append(f"at budget {budget:g} " + "; ".join(parts) + ".")
    needed = certainty_trials(len(ATTACKS))
    if best and min(r["trials"] for r in best) < needed:
        out.append(f"fewer than {needed} trials cannot show that an attack finds it definitely.")
    return out


def reading(records: Sequence[Record]) -> str:
    """Return who reads the exact walk back in every trial, on every map and at every budget."""
    always: dict[str, str] = {}
    never: list[str] = []
    for system in dict.fromkeys(r["system"] for r in records):
        mine = [r for r in records if r["system"] == system]
        shares = [float(r["recovered"]) for r in mine]
        if all(share == 1 for share in shares):
            bounded = max(float(r["exact"]) for r in mine)
            always[system] = f"{system} (proved loss, {mine[0]['unit']}: up to {bounded:g})"
        elif any(share != share for share in shares):  # noqa: PLR0124 - nan
            never.append(system)
    said = (
        "A participant who knows the network reads the exact walk in every trial, on every map "
        f"it was played on and at every budget, from: {'; '.join(always.values())}."
        if always
        else "From no system does a participant read the exact walk in every trial."
    )
    if any(is_ours(system) for system in always):
        said += " Ours are counted as read only if the order is right and each vertex reads its own"
        said += " links from its own row."
    if never:
        said += f" We have no reader for the synthetic output of {_listed(never)}."
    return said


def plausibility_line(records: Sequence[Record]) -> str:
    """Return what a universe of plausible pairs changes for ours, where it was played."""
    parts = []
    for name in maps_of(records):
        mine = {r["system"]: r for r in records if r["map"] == name and r["attack"] == "plausible"}
        plain, near = mine.get(UNIVERSAL.partition(",")[0]), mine.get(UNIVERSAL)
        if plain is None or near is None:
            continue
        change = "no change shown"
        if near["high"] < plain["low"] or near["low"] > plain["high"]:
            change = "less" if near["success"] < plain["success"] else "more"
        parts.append(
            f"{name}: {share(plain['success'])} with chaff on all pairs, "
            f"{share(near['success'])} with chaff on plausible pairs ({change}), "
            f"{share(plain['control_success'])} without a release"
        )
    if not parts:
        return ""
    return (
        "The plausibility attack on ours (balanced), by who weighs the joins that the bits leave "
        f"by their lengths: {'; '.join(parts)}. Chaff between pairs too far apart to be linked "
        "does not deceive who knows that; a universe spares those coins and makes the "
        "certificate speak of the pairs that count."
    )


def controls_said(records: Sequence[Record]) -> str:
    """Return what is best known without a release, map by map."""
    parts = []
    for name in maps_of(records):
        r = next(r for r in records if r["map"] == name)
        parts.append(
            f"{name or 'these maps'}: {r['control']} {share(r['control_success'])} "
            f"(G1 {share(r['g1'])}, G0 {rounded(r['g0'], 3)})"
        )
    return (
        f"Best answer without a release, of {len(CONTROLS)} controls; G0 is a guess among all "
        "absent pairs, G1 one among the possible joins (any candidate), and another than G1 is "
        f"taken only where it is shown to beat G1: {'; '.join(parts)}."
    )


def _listed(names: Sequence[str]) -> str:
    """Return names as a list; PriSTE's alphas together."""
    short: dict[str, list[str]] = {}
    for name in names:
        head, mark, alpha = name.partition(", alpha ")
        short.setdefault(head, []).extend([alpha] if mark else [])
    return "; ".join(
        f"{head} (alpha {', '.join(alphas)})" if alphas else head for head, alphas in short.items()
    )
