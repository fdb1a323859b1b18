"""Commands of the auditor, who trusts nobody: verify, attack and audit."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from pathveil.cli import options, paths
from pathveil.cli.console import (
    SturdyTable,
    busy,
    console,
    print_findings,
    print_json,
    say,
    table,
    warn_unsafe,
)
from pathveil.cli.results import FindingsResult, inference_data, insider_data, outsider_data, result
from pathveil.model.certificate import Finding
from pathveil.wording import KNOWING, counted

if TYPE_CHECKING:
    from pathveil.attacks.one_file.posterior import Inference
    from pathveil.files.codes import Codes
    from pathveil.model.network import Network
    from pathveil.model.publication import Publication

Link = tuple[str, str]


def attack(
    arguments: Annotated[
        list[str],
        options.argument(
            "FILE... NETWORK",
            "Publications, or folders of them; and the network, to attack with all of it but "
            "--lacking, or to judge what an outsider guesses.",
        ),
    ],
    *,
    lacking: options.Lacking = None,
    codes: options.CodesFile = None,
    identity: options.Identity = None,
    groups: options.GroupsFile = None,
    as_json: options.AsJson = False,
    trust: options.Trust = False,
) -> None:
    """Attack publications: as someone who lacks a link, or as an outsider.

    With NETWORK --lacking U V: how well are the lacking links guessed? Without --lacking: what does
    someone read who holds all the files and nothing else? Several files must be over the same
    vertices and under the same terms.

    Examples
    --------
    pathveil attack route.veil.json network.csv --lacking CZ SK
    pathveil attack monday.veil tuesday.veil network.csv
    """
    files, network = _sorted_arguments(arguments)
    ends, table = lacking or [], paths.codes_read(codes)
    if len(ends) % 2:
        raise typer.BadParameter(
            f"--lacking {' '.join(ends)}: {counted(len(ends), 'end')} of links; a link has two: "
            "--lacking U V ..., after the files"
        )
    if table is not None:
        ends = table.encode(ends, lambda _: "--lacking")
    absent = list(zip(ends[::2], ends[1::2], strict=True))
    if len(files) > 1 or files[0].is_dir() or not absent:
        publications = paths.load_publications(files, identity=identity)
        known = paths.open_network(network, codes=table)
        if absent:
            _attack_together(publications, known, absent, as_json=as_json)
        else:
            _attack_as_outsider(publications, known, as_json=as_json)
        return
    from pathveil import attack as infer

    publication = paths.open_publication(files[0], identity, groups=groups, trust=trust)
    known = paths.open_network(network, codes=table)
    with busy("trying what fits", quiet=as_json):
        inferred = infer(publication, known, lacking=absent)
    if as_json:
        print_json(inference_data(inferred))
    else:
        warn_unsafe(publication)
        print_inference(inferred, truth=absent, codes=table)
    if inferred.within_certificate is False:
        raise typer.Exit(1)


def _sorted_arguments(arguments: list[str]) -> tuple[list[Path], Path]:
    """Return publications and network, in whatever order they were given."""
    given = [Path(name) for name in arguments]
    files = [path for path in given if paths.is_publication(path) or path.is_dir()] or given[:1]
    others = [path for path in given if path not in files]
    if not others:
        raise typer.BadParameter("NETWORK is missing: an attack is judged by the true network")
    if len(others) > 1:
        raise typer.BadParameter(
            f"{others[1]}: {others[0]} is taken for the network, and there is one network; "
            "publications are called *.veil, *.veil.json or *.age"
        )
    return files, others[0]


def _attack_together(
    publications: Sequence[Publication], network: Network, lacking: Sequence[Link], *, as_json: bool
) -> None:
    """Attack several releases as someone who knows all links but one."""
    from pathveil.attacks.series.pile_attack import attack_as_insider

    if len(lacking) != 1:
        raise typer.BadParameter(
            f"{counted(len(lacking), 'missing link')}; over several releases one is tried at a "
            "time: --lacking U V"
        )
    with busy("trying what fits", quiet=as_json):
        inferred = attack_as_insider(publications, network.without(*lacking))
    data = insider_data(inferred, lacking[0])
    if as_json:
        print_json(data)
        return
    say(
        f"the missing link is guessed right {_number(data['truth_posterior'])} times in 100 with "
        f"{counted(len(publications), 'file')} ({_number(1 / max(inferred.control, 1))} "
        f"{KNOWING.format('files')}); {counted(len(inferred.pairs), 'candidate')} left"
    )


def _attack_as_outsider(
    publications: Sequence[Publication], network: Network, *, as_json: bool
) -> None:
    """Attack releases as an outsider, who knows the number of links; the network judges him."""
    from pathveil.attacks.series.outsider import Effort
    from pathveil.attacks.series.pile_attack import attack_as_outsider
    from pathveil.reading.assemble import reconstruct

    links, files = len(network.links), len(publications)
    with busy("trying to read the walks", quiet=as_json):
        effort = Effort(steps=50 * links * files**2) if files <= FEW else None
        read = attack_as_outsider(publications, links, effort=effort, names=network.vertices)
    # The true walks as vertex indices.
    true = [[*map(f.vertices.index, reconstruct(f, network).walk)] for f in read.files]
    data = outsider_data(read, network, true)
    if as_json:
        print_json(data)
        return
    best = max((data["counting"], data["structure"]), key=lambda one: one["links_right"])
    say(
        f"{best['walks_right']} of {counted(files, 'walk')} read right; "
        f"{best['links_right']} of {counted(links, 'link')} named; guessing alone would name "
        f"{best['links_by_luck']:.0f}"
    )


FEW = 3
"""Files up to which an outsider's search is short: on 12 networks it named about as many links."""


def inference_table(
    inferred: Inference, *, truth: Collection[Link], codes: Codes | None = None, most: int = 12
) -> SturdyTable:
    """Return candidates before and after the file is read; the truth is marked."""
    wanted = {tuple(sorted(link)) for link in truth}
    coins = inferred.by_coins
    numbers = ("without", *(["by the coins"] if coins is not None else []), "with the file")
    rows = []
    for one in inferred.candidates[:most]:
        true = {tuple(sorted(link)) for link in one.links} == wanted and not one.others
        ends = one.links if codes is None else map(codes.decode, one.links)
        named = replace(one, links=tuple((u, v) for u, v in ends))
        name = f"[bold cyan]{escape(named.label)}[/] (true)" if true else escape(named.label)
        chances = (one.prior, *([coins.posterior_of(*one.links)] if coins else []), one.posterior)
        rows.append((name, *(f"{chance:.1%}" for chance in chances)))
    if len(inferred.candidates) > most:
        rows.append((f"[dim]and {len(inferred.candidates) - most} more[/]", *[""] * len(numbers)))
    title = "Which link is missing?" if len(truth) < 2 else "Which links are missing?"
    return table(title, ("candidate", *numbers), rows, numbers=numbers)


def print_inference(
    inferred: Inference, *, truth: Collection[Link], codes: Codes | None = None
) -> None:
    """Print how often an attacker guesses right, what he believes, and what the file cost."""
    say(guess_words(inferred, len(truth)))
    console.print(inference_table(inferred, truth=truth, codes=codes))
    lines = [f"not used: {what}" for what in inferred.left_out]
    if len(truth) == 1 and any(one.others for one in inferred.candidates) and inferred.on_walk:
        best = _number(max(one.posterior for one in inferred.on_walk))
        lines.append(f"by someone who knows that it is on the walk: {best} times in 100")
    if inferred.certified is not None:
        held = "not exceeded" if inferred.within_certificate else "EXCEEDED"
        lines.append(
            f"loss: the file is {inferred.odds:.3g} times as likely if these links exist as if "
            f"not; the certificate allows {inferred.certified:.3g}: {held}"
        )
    if inferred.by_coins is not None:
        alone = _number(inferred.by_coins.success)
        more = "" if alone == _number(inferred.success) else "; the rest comes from the layers"
        lines.append(f"by the coins alone: {alone} times in 100{more}")
    if inferred.method == "sampled":
        lines.append("loss: not worked out, because possible walks were sampled")
    for line in lines:
        say(line)


def guess_words(inferred: Inference, lacking: int) -> str:
    """Return the verdict: how often the best guess is right, with its yardstick."""
    what = "the missing link is" if lacking == 1 else f"one of the {lacking} missing links is"
    error = f" ± {100 * inferred.error:.0f}" if inferred.error else ""
    every = f"; all of them {_number(inferred.success)}{error} ({_number(inferred.control)}), "
    every += "if all walks that fit were equally likely before"
    return (
        f"{what} guessed right {_number(inferred.link_success)}{error} times in 100 "
        f"({_number(inferred.link_control)} {KNOWING.format('file')}){every if lacking > 1 else ''}"
    )


def _number(chance: float) -> str:
    percent = 100 * chance
    return f"{percent:.0f}" if percent >= 1 or not percent else f"{percent:.1g}"


def verify(
    file: options.PublicationFile,
    network: Annotated[
        Path | None, options.argument("[NETWORK]", "Check the bits of its links too.")
    ] = None,
    walk: Annotated[
        Path | None, options.argument("[WALK]", "Check that this walk is read back.")
    ] = None,
    *,
    column: options.Column = None,
    codes: options.CodesFile = None,
    identity: options.Identity = None,
    groups: options.GroupsFile = None,
    after: options.AfterFiles = None,
    ledger: Annotated[
        str | None, options.option("--ledger", "DB", "The ledger that must have recorded the file.")
    ] = None,
    key: options.KeyFile = None,
    as_json: options.AsJson = False,
) -> None:
    """Check the claims of a publication; with NETWORK and WALK also what it says.

    Exit code 1 if a claim does not hold or could not be checked.

    Examples
    --------
    pathveil verify route.veil.json
    pathveil verify route.veil.json network.csv walk.txt
    """
    from pathveil.checking.verification import (
        BY_EARLIER,
        UNCONFIRMED,
        verify_publication,
        verify_series,
    )

    # What is false is a finding, not an error.
    publication = paths.open_publication(file, identity, trust=True)
    table = paths.codes_read(codes)
    known, secret = None, None
    if network is not None and walk is not None:
        known, secret = paths.open_both(network, walk, column=column, codes=table)
    elif network is not None:
        known = paths.open_network(network, codes=table)
    checked = verify_publication(publication, known, secret, grouping=paths.grouping_read(groups))
    earlier = paths.load_publications(after, identity=identity)
    outside = next((one for one in (publication, *earlier) if one.series is None), None)
    if earlier and outside is not None:
        raise typer.BadParameter(
            f"--after: {outside.where} belongs to no series, in which files follow one another; "
            "leave --after out"
        )
    findings: list[Finding] = [*checked]
    findings += verify_series([*earlier, publication]) if earlier else []
    if ledger is not None:
        findings.append(paths.check_recorded(ledger, key, file, identity))
    if not as_json:
        warn_unsafe(publication)
    unconfirmed = (
        [] if ledger else [one for one in UNCONFIRMED if not (earlier and one in BY_EARLIER)]
    )
    more = "" if earlier or publication.series is None else ", or all earlier files with --after"
    conclude(findings, unconfirmed, f"--ledger DB{more}", as_json=as_json)


def conclude(
    findings: Sequence[Finding],
    unconfirmed: Sequence[str] = (),
    bring: str = "",
    *,
    as_json: bool,
) -> None:
    """Print claims, each with whether it holds, and the verdict; leave with 1 unless all hold.

    Parameters
    ----------
    unconfirmed
        What could be changed without any claim failing.
    bring
        The options that would show it.
    """
    from pathveil.checking.verification import verdict, verdict_line

    each = [finding.holds for finding in findings]
    holds = verdict(each)
    if as_json:
        data = {"holds": holds, "findings": findings, "unconfirmed": unconfirmed}
        print_json(result(FindingsResult, **data))
    else:
        print_findings(findings)
        said = verdict_line(each)
        if unconfirmed:
            said += f". Not shown: whether somebody changed {', '.join(unconfirmed[:-1])} or "
            said += f"{unconfirmed[-1]} and made the rest fit; the custodian's {bring} tells"
        say(said)
    if not holds:
        raise typer.Exit(1)
