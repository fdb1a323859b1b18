"""Commands of the auditor, who trusts nobody: verify, attack and audit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from pathveil.cli.console import SturdyTable, busy, console, print_findings, print_json, warn_unsafe
from pathveil.cli.options import (
    AfterFiles,
    AsJson,
    CodesFile,
    Column,
    DirectionOption,
    GroupsFile,
    Identity,
    KeyFile,
    NetworkFile,
    PolicyText,
    PublicationFile,
    Trust,
    WalkFile,
    policy_of,
)
from pathveil.cli.paths import (
    codes_read,
    grouping_read,
    is_publication,
    load_publications,
    open_network,
    open_publication,
    opened_ledger,
)
from pathveil.cli.results import (
    AuditResult,
    findings_data,
    inference_data,
    insider_data,
    outsider_data,
    result,
)
from pathveil.errors import PathveilError
from pathveil.policies import Policy
from pathveil.wording import KNOWING, counted

if TYPE_CHECKING:
    from pathveil.attacks.one_file.posterior import Inference
    from pathveil.checking.auditing import Audit
    from pathveil.checking.verification import Finding
    from pathveil.model.network import Network
    from pathveil.model.publication import Publication

Link = tuple[str, str]
Lacking = Annotated[
    list[str] | None,
    typer.Option("--lacking", metavar="U V ...", help="Links the attacker does not know."),
]


def attack(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE... [NETWORK]",
            help="Publications, or folders of them; and the network, to attack with all of it but "
            "--lacking, or to judge what an outsider guesses.",
        ),
    ],
    *,
    lacking: Lacking = None,
    links: Annotated[
        int | None,
        typer.Option(
            "--links",
            min=1,
            max=10**9,
            metavar="N",
            help="Without NETWORK: how many links there are.",
        ),
    ] = None,
    codes: Annotated[
        Path | None,
        typer.Option(
            "--codes",
            metavar="CODES.csv",
            help="The table of `network clean --codes`: you give names, candidates are codes.",
        ),
    ] = None,
    identity: Identity = None,
    groups: GroupsFile = None,
    as_json: AsJson = False,
    trust: Trust = False,
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
    absent = _links_of(lacking or [])
    table = codes_read(codes)
    if table is not None:
        absent = [
            (u, v) for u, v in (table.encode(link, "--lacking: {}".format) for link in absent)
        ]
    known = None if network is None else open_network(network, codes=table, tell=False)
    if len(files) > 1 or files[0].is_dir() or known is None or not absent:
        publications = load_publications(files, identity=identity)
        if absent:
            _attack_together(publications, known, absent, as_json=as_json)
        else:
            _attack_as_outsider(publications, known, links, as_json=as_json)
        return
    from pathveil import Knowledge
    from pathveil import attack as infer

    publication = open_publication(files[0], identity, groups=groups, trust=trust)
    with busy("trying what fits", quiet=as_json), _judging_input():
        held = Knowledge(known.without(*absent), missing=len(absent))
        inferred = infer(publication, held)
    if as_json:
        print_json(inference_data(inferred))
    else:
        warn_unsafe(publication)
        print_inference(inferred, truth=absent)
    if inferred.within_certificate is False:
        raise typer.Exit(1)


@contextmanager
def _judging_input() -> Iterator[None]:
    """Make what an attacker cannot know an error of the user's, not of the program's."""
    try:
        yield
    except PathveilError:
        raise
    except ValueError as error:
        raise PathveilError(str(error)) from None


def _sorted_arguments(arguments: list[str]) -> tuple[list[Path], Path | None]:
    """Return publications and network, in whatever order they were given."""
    paths = [Path(name) for name in arguments]
    files = [path for path in paths if is_publication(path) or path.is_dir()] or paths[:1]
    others = [path for path in paths if path not in files]
    if len(others) > 1:
        raise typer.BadParameter(
            f"{others[1]}: {others[0]} is taken for the network, and there is one network; "
            "publications are called *.veil, *.veil.json or *.age"
        )
    return files, others[0] if others else None


def _links_of(ends: Sequence[str]) -> list[Link]:
    if len(ends) % 2:
        raise typer.BadParameter(
            f"--lacking {' '.join(ends)}: {counted(len(ends), 'end')} of links; a link has two: "
            "--lacking U V ..., after the files"
        )
    return list(zip(ends[::2], ends[1::2], strict=True))


def _attack_together(
    publications: Sequence[Publication],
    network: Network | None,
    lacking: Sequence[Link],
    *,
    as_json: bool,
) -> None:
    """Attack several releases as someone who knows all links but one."""
    from pathveil.attacks.series.pile_attack import attack_as_insider

    if network is None or len(lacking) != 1:
        raise typer.BadParameter(
            f"{counted(len(lacking), 'missing link')}; over several releases one is tried at a "
            "time: NETWORK --lacking U V"
        )
    with busy("trying what fits", quiet=as_json), _judging_input():
        inferred = attack_as_insider(publications, network.without(*lacking))
    data = insider_data(inferred, lacking[0])
    if as_json:
        print_json(data)
        return
    console.print(
        f"the missing link is guessed right {_number(data['truth_posterior'])} times in 100 with "
        f"{counted(len(publications), 'file')} ({_number(1 / max(inferred.control, 1))} "
        f"{KNOWING.format('files')}); {counted(len(inferred.pairs), 'candidate')} left",
        markup=False,
    )


def _attack_as_outsider(
    publications: Sequence[Publication],
    network: Network | None,
    links: int | None,
    *,
    as_json: bool,
) -> None:
    """Attack releases as an outsider; the network is there to judge him by."""
    from pathveil.attacks.series.outsider import Effort
    from pathveil.attacks.series.pile_attack import attack_as_outsider

    if links is None and network is None:
        raise typer.BadParameter(
            "an outsider knows the number of links: give --links N, or NETWORK to judge him by; "
            "with NETWORK --lacking U V, someone who lacks that link"
        )
    many = links or (len(network.links) if network is not None else 0)
    files = len(publications)
    with busy("trying to read the walks", quiet=as_json):
        read = attack_as_outsider(
            publications,
            many,
            effort=Effort(steps=50 * many * files**2) if files <= FEW else None,
            names=None if network is None else network.vertices,
        )
    true = [] if network is None else [_true_walk(file, network) for file in read.files]
    data = outsider_data(read, network, true)
    if as_json:
        print_json(data)
        return
    all_files = counted(files, "file")
    for seen, way in ((data["counting"], "counting"), (data["structure"], "looking for paths")):
        console.print(f"by {way}: {seen['paths']} of {all_files} read as one walk", markup=False)
    if network is None:
        console.print("whether these are the true walks, only NETWORK can tell", markup=False)
        return
    best = max((data["counting"], data["structure"]), key=lambda one: one["links_right"] or 0)
    console.print(
        f"{best['links_right']} of {counted(len(network.links), 'link')} named; guessing alone "
        f"would name {best['links_by_luck']:.0f}; {best['walks_right']} of "
        f"{counted(files, 'walk')} read right",
        markup=False,
    )


FEW = 3
"""Files up to which an outsider's search is short: on 12 networks it named about as many links."""


def _true_walk(file: Publication, network: Network) -> list[int]:
    """Return the walk of a file as vertex indices."""
    from pathveil.reading.assemble import reconstruct

    place = {name: number for number, name in enumerate(file.vertices)}
    return [place[name] for name in reconstruct(file, network).walk]


WIDE_ENOUGH = 66
"""Columns from which there is room for a bar beside the numbers."""


def inference_table(inferred: Inference, *, truth: Collection[Link], most: int = 12) -> SturdyTable:
    """Return candidates with bars from prior to posterior; the truth is marked."""
    title = "Which link is missing?" if len(truth) < 2 else "Which links are missing?"
    table = SturdyTable(title=title, title_justify="left")
    table.add_column("candidate", overflow="fold")
    table.add_column("without", justify="right", no_wrap=True)
    coins = inferred.by_coins
    if coins is not None:
        table.add_column("by the coins", justify="right", no_wrap=True)
    table.add_column("with the file", justify="right", no_wrap=True)
    pictured = console.width >= WIDE_ENOUGH + (0 if coins is None else 15)
    if pictured:
        table.add_column("", no_wrap=True)
    wanted = {tuple(sorted(link)) for link in truth}
    for candidate in inferred.candidates[:most]:
        true = {tuple(sorted(link)) for link in candidate.links} == wanted and not candidate.others
        table.add_row(
            f"[bold cyan]{escape(candidate.label)}[/] (true)" if true else escape(candidate.label),
            f"{candidate.prior:.1%}",
            *([] if coins is None else [f"{coins.posterior_of(*candidate.links):.1%}"]),
            f"{candidate.posterior:.1%}",
            *([_bar(candidate.prior, candidate.posterior)] if pictured else []),
        )
    if len(inferred.candidates) > most:
        more = f"[dim]and {len(inferred.candidates) - most} more[/]"
        table.add_row(more, *[""] * (len(table.columns) - 1))
    return table


def print_inference(inferred: Inference, *, truth: Collection[Link]) -> None:
    """Print what an attacker believes, and last what that means."""
    console.print(inference_table(inferred, truth=truth))
    lines = [f"not used: {what}" for what in inferred.left_out]
    if inferred.certified is not None:
        held = "not exceeded" if inferred.within_certificate else "EXCEEDED"
        lines.append(
            f"loss: the file makes it {inferred.odds:.3g} times as likely that these links exist; "
            f"the certificate allows {inferred.certified:.3g}: {held}"
        )
    if inferred.by_coins is not None:
        lines.append(
            f"by the coins alone: {_number(inferred.by_coins.success)} times in 100; the "
            "difference comes from the layers, which follow the walk"
        )
    if inferred.method == "sampled":
        lines.append("loss: not worked out, because possible walks were sampled")
    for line in (*lines, guess_words(inferred, len(truth))):
        console.print(line, markup=False)


def guess_words(inferred: Inference, lacking: int) -> str:
    """Return the verdict: how often the best guess is right, with its yardstick."""
    what = "the missing link is" if lacking == 1 else f"all {lacking} missing links are"
    error = f" ± {100 * inferred.error:.0f}" if inferred.error else ""
    return (
        f"{what} guessed right {_number(inferred.success)}{error} times in 100 "
        f"({_number(inferred.control)} {KNOWING.format('file')})"
    )


def _number(chance: float) -> str:
    percent = 100 * chance
    return f"{percent:.0f}" if percent >= 1 or not percent else f"{percent:.1g}"


def _bar(prior: float, posterior: float, *, width: int = 24) -> str:
    """Return the posterior as a bar with a tick where the prior was."""
    filled, tick = round(posterior * width), min(round(prior * width), width - 1)
    cells = ["█" if i < filled else "·" for i in range(width)]
    cells[tick] = "┃" if tick >= filled else "▓"
    return "".join(cells)


def audit(
    network: NetworkFile,
    walk: WalkFile,
    *,
    lacking: Lacking = None,
    policy: PolicyText = None,
    samples: Annotated[
        int,
        typer.Option(
            "--samples",
            min=100,
            max=100_000_000,
            metavar="N",
            help="Confirming releases on each side.",
        ),
    ] = 20_000,
    direction: DirectionOption = "public",
    as_json: AsJson = False,
) -> None:
    """Measure the loss of real releases from outside, and compare it with what is claimed.

    It can refute a claim, not prove it. The default catches a release whose loss is 10 % above its
    certificate; rare chaff (rates below 1 in 100) takes --samples 100000 or more. At most one
    honest release in a thousand is called broken.

    Examples
    --------
    pathveil lab audit network.csv walk.txt --lacking CZ SK
    """
    if len(lacking or ()) != 2:
        given = counted(len(lacking or ()), "end")
        raise typer.BadParameter(f"{given} of a link; expected two: --lacking U V")
    from pathveil.checking.release_audit import (
        LinkRelease,
        audit_release,
        claim,
        releases_drawn,
    )
    from pathveil.files.walks import read_walk
    from pathveil.publishing.terms import ReleaseTerms

    known = open_network(network, before=walk)
    secret = read_walk(walk, network=known)
    u, v = sorted(lacking or ())
    chosen, drawn = policy_of(policy) or Policy.balanced(), releases_drawn(samples)
    with busy(f"drawing {drawn} releases", quiet=as_json):
        terms = ReleaseTerms.of(policy=chosen, direction=direction)
        audited = audit_release(LinkRelease(known, secret, terms, (u, v)), samples=samples)
    whose, _, _ = claim(chosen, on_walk=(u, v) in secret.links)
    if as_json:
        more = {"policy": chosen, "claim": whose, "drawn": drawn, "direction": direction}
        print_json(result(AuditResult, audited, **more))
    else:
        console.print(audit_table(audited, whose=whose, drawn=drawn))
    if audited.verdict == "refuted":
        raise typer.Exit(1)


def audit_table(audited: Audit, *, whose: str, drawn: int) -> SturdyTable:
    """Return what an audit measured beside what is claimed; ``drawn`` is of both sides."""
    table = SturdyTable(title="Loss measured from outside", title_justify="left")
    for head in ("direction", "measured", f"claimed ({whose})", "verdict"):
        table.add_column(head, justify="left" if head in {"direction", "verdict"} else "right")
    for name, loss in (("link is there", audited.forward), ("link is not", audited.backward)):
        verdict = "[bold red]refuted[/]" if loss.refuted else "[green]not refuted[/]"
        bound = loss.claimed is not None and loss.claimed < inf
        claimed, verdict = (f"{loss.claimed:.4f}", verdict) if bound else ("infinite", "no claim")
        table.add_row(name, f"at least {loss.epsilon:.4f}", claimed, verdict)
    table.caption = (
        f"{drawn} releases were drawn, of which {audited.samples} on each side confirm; a bound "
        f"is wrong with probability at most {1 - audited.confidence:.2g}. An audit can "
        "refute a claim, never prove it."
    )
    table.caption_justify = "left"
    return table


def verify(
    file: PublicationFile,
    network: Annotated[
        Path | None,
        typer.Argument(metavar="[NETWORK]", help="Check the bits of its links too."),
    ] = None,
    walk: Annotated[
        Path | None, typer.Argument(metavar="[WALK]", help="Check that this walk is read back.")
    ] = None,
    *,
    column: Column = None,
    codes: CodesFile = None,
    identity: Identity = None,
    groups: GroupsFile = None,
    after: AfterFiles = None,
    ledger: Annotated[
        str | None,
        typer.Option("--ledger", metavar="DB", help="The ledger that must have recorded the file."),
    ] = None,
    key: KeyFile = None,
    as_json: AsJson = False,
) -> None:
    """Check every claim of a publication; with NETWORK and WALK also what it says.

    Exit code 1 if a claim does not hold or could not be checked.

    Examples
    --------
    pathveil verify route.veil.json
    pathveil verify route.veil.json network.csv walk.txt
    """
    from pathveil.checking.verification import (
        UNCONFIRMED,
        verdict,
        verdict_line,
        verify_publication,
        verify_series,
    )
    from pathveil.files.walks import read_walk

    # What is false is a finding, not an error.
    publication = open_publication(file, identity, trust=True)
    table = codes_read(codes)
    known = None if network is None else open_network(network, before=walk, codes=table, tell=False)
    secret = None if walk is None else read_walk(walk, network=known, column=column, codes=table)
    findings = verify_publication(publication, known, secret, grouping=grouping_read(groups))
    earlier = load_publications(after, identity=identity)
    if earlier:
        findings += verify_series([*earlier, publication])
    if ledger is not None:
        findings += _recorded_in(ledger, key, file, identity)
    unconfirmed = () if earlier or ledger else UNCONFIRMED
    if as_json:
        print_json(findings_data(findings, unconfirmed=unconfirmed))
    else:
        print_findings(findings)
        warn_unsafe(publication)
        more = f"; --ledger DB or --after FILE would also check {', '.join(unconfirmed)}"
        console.print(f"{verdict_line(findings)}{more if unconfirmed else ''}", markup=False)
    if not verdict(finding.holds for finding in findings):
        raise typer.Exit(1)


def _recorded_in(
    database: str, key: Path | None, file: Path, identity: Path | None
) -> list[Finding]:
    """Return whether a ledger recorded a file."""
    from pathveil.checking.verification import Finding
    from pathveil.files.envelopes import read_identities

    with opened_ledger(database, key) as ledger:
        from pathveil.ledger.ledger_check import check_files

        keys = () if identity is None else read_identities(identity)
        return [
            Finding(one.claim, one.holds, one.detail)
            for one in check_files(ledger, [file], identities=keys)
        ]
