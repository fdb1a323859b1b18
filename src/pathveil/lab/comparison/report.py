"""What a comparison allows one to say, and the section of the documents made from its table.

"Can definitely infer" means success above 0.99, by the lower end of its interval, and a gain over
the best answer without a release. Each system is judged by budget, with the attack that gains most
on it and the control that does best on its map. No sentence here is written for a figure known
beforehand: change the table and the words change. A test keeps the documents equal to what the
committed table gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import floor, log10

from pathveil.lab.baselines.controls import CONTROLS
from pathveil.lab.baselines.figure1 import ATTACKS
from pathveil.lab.baselines.scoring import CERTAIN, CONFIDENCE, FEWEST_TRIALS, certainty_trials
from pathveil.lab.comparison.comparison_tables import Record, rounded, share, strongest
from pathveil.lab.comparison.systems import FIVE, SYSTEMS

LITERAL = "nearest"
"""Figure 1's own attack: nearest vertices of consecutive published points."""
RESTRICTED = "joins"
"""The same among the joins the adversary holds."""
STRONG = "likelihood"
"""The attack that uses the mechanism's law; a system without one was not attacked strongly."""
NO_STRONG = "no strong attack tried"
MARKS = {"definitely": "**!**", "leaks": "!", "no leak shown": ""}


def maps_of(records: Iterable[Record]) -> list[str]:
    """Return the maps of a table, in its order."""
    return list(dict.fromkeys(record["map"] for record in records))


def budgets_of(records: Iterable[Record]) -> list[float]:
    """Return the budgets of a table, ascending."""
    return sorted({float(record["budget"]) for record in records})


def is_ours(system: str) -> bool:
    """Return whether a row is no prior system: the paper's mechanism or one of our policies."""
    return system not in SYSTEMS


def strongly_attacked(records: Iterable[Record], system: str) -> bool:
    """Return whether an attack that knows the system's law was among those tried on it."""
    return any(r["system"] == system and r["attack"] == STRONG for r in records)


def opinions(records: Sequence[Record], *, each_budget: bool = True) -> list[str]:
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
    return (
        f"Figure 1's literal attack finds the link definitely in {certain} of {len(literal)} cells "
        f"(the five systems, each budget). Guessing among all absent pairs, as it does, it beats "
        f"that guess (G0) in {_cells(literal, 'over_g0_low')}; it beats the guess among the "
        f"possible joins (G1) in {_cells(literal, 'over_g1_low')}. Restricted to those joins, "
        f"which the adversary holds, it beats G1 in {_cells(joins, 'over_g1_low')}, and the best "
        f"answer without a release ({top['control']}, {share(top['control_success'])}) in "
        f"{_cells(joins, 'difference_low')}. Its best as drawn is {share(top['success'])} "
        f"[{share(top['low'])}, {share(top['high'])}] on {top['system']} at {top['budget']:g}."
    )


def _cells(records: Sequence[Record], column: str) -> str:
    """Return how many cells are above zero, and at which budgets."""
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
        tried = [r for r in here if strongly_attacked(records, r["system"])]
        parts = []
        for words, verdict in (
            ("the best attack finds the link definitely on", "definitely"),
            ("it gains on the best control on", "leaks"),
            ("no gain is shown on", "no leak shown"),
        ):
            names = [r["system"] for r in tried if r["verdict"] == verdict]
            if names:
                parts.append(f"{words} {_listed(names)}")
        weak = [r["system"] for r in here if r not in tried]
        if weak:
            parts.append(f"{NO_STRONG} on {_listed(weak)}")
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
    """Return from which systems a participant reads the exact walk in every trial."""
    always: dict[str, str] = {}
    never: list[str] = []
    for system in dict.fromkeys(r["system"] for r in records):
        mine = [r for r in records if r["system"] == system]
        shares = [float(r["recovered"]) for r in mine]
        if all(share == 1 for share in shares):
            bounded = max(float(r["exact"]) for r in mine)
            most = f"up to {bounded:g}" if bounded == bounded else "none"  # noqa: PLR0124 - nan
            always[system] = f"{system} (proved loss, {mine[0]['unit']}: {most})"
        elif any(share != share for share in shares):  # noqa: PLR0124 - nan
            never.append(system)
    said = (
        "A participant who knows the network reads the exact walk in every trial, on every map "
        f"it was played on and at every budget, from: {'; '.join(always.values())}."
        if always
        else "From no system does a participant read the exact walk in every trial."
    )
    if any(is_ours(system) for system in always):
        said += " Ours count as read only if the order is right and each vertex reads its own"
        said += " links from its own row; of the paper's drawing a tied order counts one half."
    if never:
        said += f" We have no reader for the synthetic output of {_listed(never)}."
    return said


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


# -- the section of the documents ------------------------------------------------------------------


def comparison_section(records: Sequence[Record]) -> str:
    """Return the whole comparison in Markdown: picture, tables by map, what follows, settings."""
    parts = [
        "# Under the attack of Figure 1",
        "![How often the best attack names the missing link](comparison.svg)",
        _preface(records),
        controls_said(records),
    ]
    for name in maps_of(records):
        parts += [f"### {_sentence(name)}", _table([r for r in records if r["map"] == name])]
    said = [*opinions(records, each_budget=False), reading(records)]
    parts += ["### What follows", "\n".join(f"- {_sentence(text)}" for text in said if text)]
    parts += ["### What else was chosen", _settings(records)]
    return "\n\n".join(parts) + "\n"


def _preface(records: Sequence[Record]) -> str:
    budgets = " / ".join(f"{budget:g}" for budget in budgets_of(records))
    return (
        f"One link of the walk is missing; budgets {budgets}. What a budget is about differs from "
        "system to system; the tables name it. Intervals of one kind are made at "
        f"{CONFIDENCE:.0%} for all attacks on a system at a budget together. A *leak* (!) is a "
        "gain over the best answer without a release whose interval is above zero, with a placebo "
        "that is not shown to beat that answer; *definitely* (**!**) also asks for a success above "
        f"{CERTAIN:g} by the lower end of its interval. *{_sentence(NO_STRONG)}*: we know no law "
        "of the system's output, so nothing follows from the small number."
    )


def _sentence(said: str) -> str:
    return said[:1].upper() + said[1:]


def _table(records: Sequence[Record]) -> str:
    """Return one map's table: a row for each system, budgets side by side in each cell."""
    heads = (
        "system", "budget is about", "Figure 1 as drawn", "among the joins", "best attack",
        "which", "walk and order read", "distance",
    )  # fmt: skip
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    best = strongest(records)
    for system in dict.fromkeys(r["system"] for r in records):
        top = [r for r in best if r["system"] == system]
        literal, joins = (
            [r for r in records if (r["system"], r["attack"]) == (system, attack)]
            for attack in (LITERAL, RESTRICTED)
        )
        strong = strongly_attacked(records, system)
        won = _row(top, lambda r: f"{share(r['success'])}{MARKS.get(str(r['verdict']), '?')}")
        cells = (
            system,
            top[0]["unit"],
            _row(literal, lambda r: share(float(r["success"]))),
            _row(joins, lambda r: share(float(r["success"]))),
            won if strong else f"{won} ({NO_STRONG})",
            "; ".join(dict.fromkeys(str(r["attack"]) for r in top)),
            _row(top, lambda r: share(float(r["recovered"]))),
            "" if is_ours(system) else _row(top, lambda r: _length(float(r["distance"]))),
        )
        lines.append("| " + " | ".join(cells) + " |")
    lines.append("")
    lines.append(
        f"{min(int(r['trials']) for r in records)} trials. Without any release the missing link is "
        f"found in {share(records[0]['control_success'])} "
        f"({records[0]['control']}), and a participant who knows the network guesses the walk in "
        f"{share(float(records[0]['read_without']))}. Distances to the true points are in "
        f"{records[0]['length_unit']}."
    )
    return "\n".join(lines)


def _length(value: float) -> str:
    """Return a length with two digits at least and no exponent.

    >>> _length(20), _length(0.5), _length(0.0512), _length(0.0525), _length(99.6), _length(1234.5)
    ('20', '0.5', '0.051', '0.053', '100', '1,235')
    """
    if value >= 99.5:
        return rounded(value, 0)
    if not value > 0:
        return f"{value:.2g}"
    # Two digits, of which the last is dropped if it is a nought.
    shown = rounded(value, 1 - floor(log10(value)))
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def _row(records: Sequence[Record], show: Callable[[Record], str]) -> str:
    """Return the values at each budget; one alone where all are the same."""
    shown = [show(r) for r in sorted(records, key=lambda r: float(r["budget"]))]
    return shown[0] if len(set(shown)) == 1 else " / ".join(shown)


def _settings(records: Sequence[Record]) -> str:
    """Return what else was chosen, and PriSTE's inner budget as asked and as used."""
    lines = []
    for system in dict.fromkeys(r["system"] for r in records):
        mine = [r for r in records if r["system"] == system]
        line = f"- {system}: {mine[0]['parameters'] or 'nothing'}"
        if system.startswith("PriSTE"):
            first = [r for r in mine if r["map"] == mine[0]["map"] and r["attack"] == LITERAL]
            used = _row(first, lambda r: f"{r['alpha_used']:.3g}")
            line += f"; alpha used on average, {mine[0]['map']}: {used}"
        lines.append(line)
    return "\n".join(lines)
