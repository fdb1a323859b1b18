"""Commands of the custodian, who holds the walk: publish and verify."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathveil.cli.bars import busy
from pathveil.cli.console import console, print_findings, print_json, show_lines, warn_unsafe
from pathveil.cli.inputs import (
    LedgerUse,
    codes_read,
    grouping_read,
    load_publications,
    open_network,
    open_publication,
    opened_ledger,
    universe_read,
)
from pathveil.cli.options import (
    EXPERT,
    AcceptClock,
    AfterFiles,
    AsJson,
    Budget,
    Capacity,
    CodesFile,
    Column,
    DirectionOption,
    Force,
    FormOption,
    ForReaders,
    GroupsFile,
    Identity,
    KeyFile,
    LayeringOption,
    LedgerOption,
    NetworkFile,
    PolicyText,
    PublicationFile,
    Recipients,
    UniverseFile,
    WalkFile,
    policy_of,
)
from pathveil.cli.outputs import STANDARD, claim_output, save_publication
from pathveil.cli.release_shown import (
    Notes,
    cover_words,
    readers_file,
    release_lines,
    tell_this_draw,
    uncounted_words,
    write_reader_lines,
)
from pathveil.cli.results import ReleaseResult, findings_data, result

if TYPE_CHECKING:
    from pathveil.checking.verification import Finding
    from pathveil.ledger.entries import Recorded
    from pathveil.model.network import Network
    from pathveil.model.publication import Publication
    from pathveil.model.walk import Walk
    from pathveil.publishing.terms import ReleaseTerms


def publish(
    network: NetworkFile,
    walk: WalkFile,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="FILE", help="*.veil.json, or *.veil, which is compact."
        ),
    ],
    *,
    policy: PolicyText = None,
    to: Recipients = None,
    for_readers: ForReaders = False,
    column: Column = None,
    codes: CodesFile = None,
    notes: Notes = None,
    force: Force = False,
    as_json: AsJson = False,
    after: AfterFiles = None,
    identity: Identity = None,
    groups: GroupsFile = None,
    ledger: LedgerOption = None,
    key: KeyFile = None,
    budget: Budget = None,
    accept_clock: AcceptClock = False,
    direction: DirectionOption = "public",
    form: FormOption = "packed",
    capacity: Capacity = None,
    universe: UniverseFile = None,
    layering: LayeringOption = "exact",
    seed: Annotated[
        str | None,
        typer.Option(
            "--unsafe-seed",
            metavar="N",
            rich_help_panel=EXPERT,
            help="Repeatable coins, for tests only: whoever has the seed sees through the chaff.",
        ),
    ] = None,
) -> None:
    """Publish a walk: whoever knows the network reads it, others see chaff.

    Examples
    --------
    pathveil publish suppliers.csv route.txt -o route.veil.json
    pathveil publish net.graphml day3.csv -o day3.veil --ledger releases.db
    """
    if output == STANDARD and (as_json or for_readers):
        raise typer.BadParameter("--json and --for-readers need a file: give -o a file's name")
    use = LedgerUse.of(ledger, key=key, budget=budget, accept_clock=accept_clock)
    if use is not None:
        _require_for_ledger(seed=seed, after=after, output=output)
    inputs = [network, walk, codes, universe, groups, *(after or [])]
    if for_readers:
        claim_output(readers_file(output), inputs=inputs, force=force)
    claim_output(
        output,
        inputs=[*inputs, *(use.files if use else [])],
        force=force,
        why="a release handed out should not be replaced unnoticed",
    )
    from pathveil.chance.urn import History
    from pathveil.files.publications.any_publication import require_publication_name
    from pathveil.files.publications.size_limits import require_drawable
    from pathveil.files.walks import read_walk
    from pathveil.publishing.terms import ReleaseTerms

    require_publication_name(output, sealed=bool(to))
    table = codes_read(codes)
    known = open_network(network, before=walk, codes=table)
    earlier = load_publications(after, identity=identity)
    terms = ReleaseTerms.of(
        after=History.of(one for one in earlier if one.series is not None),
        policy=policy_of(policy),
        layering=layering,
        direction=direction,
        universe=universe_read(universe),
        grouping=grouping_read(groups),
        form=form,
        capacity=capacity,
    )
    secret = read_walk(walk, network=known, column=column, codes=table)
    if terms.form == "packed" and output != STANDARD:
        over = known.vertices if terms.grouping is None else terms.grouping.names
        require_drawable(over, terms.policy.copies or 1, float(terms.policy.chaff), output)
    recorded = None
    with busy("drawing coins", quiet=as_json):
        if use is not None:
            recorded, publication, outsiders = _release_through(
                use, known, (secret, output), terms, to or (), replacing=force
            )
        else:
            publication = _release(known, secret, terms, earlier, seed=seed, public=not to)
            save_publication(publication, output, to or (), replacing=force)
            outsiders = "" if to or as_json else _outsiders(known, secret, terms, earlier)
    lines = None
    if for_readers:
        lines = write_reader_lines(output, sealed=bool(to), grouped=terms.grouping is not None)
    if as_json:
        print_json(result(ReleaseResult, publication, file=output, ledger=recorded))
        return
    said = "" if recorded is None else _recorded_words(recorded)
    show_lines(
        release_lines(
            publication,
            output,
            outsiders="get nothing: the file is encrypted" if to else outsiders,
            sealed=bool(to),
            recorded=said if lines is None else f"{said}; send also {lines.name}",
        )
    )
    warn_unsafe(publication)
    tell_this_draw(publication, known, secret, asked=notes)


def _release(
    network: Network,
    walk: Walk,
    terms: ReleaseTerms,
    earlier: Sequence[Publication],
    *,
    seed: str | None,
    public: bool,
) -> Publication:
    """Return a release after some files, once the gate let it pass."""
    from pathveil import Seeded
    from pathveil.chance.urn import History
    from pathveil.errors import Incompatible
    from pathveil.publishing.release import publish_under

    if earlier and public:
        from pathveil.batching.batch_run import ask_gate_about

        ask_gate_about(network, terms, earlier, [walk])
    elif earlier and terms.remembers:
        raise Incompatible(
            "--to does not go with --after: later rates follow earlier bits, so a series is all "
            "public or all encrypted, and only a ledger knows which; publish it with --ledger"
        )
    history = History.of(one for one in earlier if one.series is not None)
    source = None if seed is None else Seeded(seed)
    return publish_under(terms, network, walk, after=history, source=source)


def _outsiders(
    network: Network, walk: Walk, terms: ReleaseTerms, earlier: Sequence[Publication]
) -> str:
    """Return what outsiders get: the cover used if there are earlier files, else what fits."""
    if not earlier:
        return uncounted_words(network, walk, terms)
    from pathveil.batching.batch_run import life_after

    return cover_words(life_after(network, terms, earlier, [walk]))


def _release_through(
    use: LedgerUse,
    network: Network,
    wanted: tuple[Walk, Path],
    terms: ReleaseTerms,
    recipients: Sequence[str],
    *,
    replacing: bool,
) -> tuple[Recorded, Publication, str]:
    """Return a walk as the ledger recorded and wrote it, and how much cover is used now."""
    with opened_ledger(use.database, use.key) as book:
        from pathveil.ledger.release_walks import publication_of, release_walks

        (recorded,) = release_walks(
            book, network, [wanted], terms, use.delivery(recipients, replacing=replacing)
        )
        outsiders = "" if recipients else cover_words(book.past(network).life())
    return recorded, publication_of(recorded, terms.grouping), outsiders


def _recorded_words(recorded: Recorded) -> str:
    """Return what a ledger recorded, behind the name of the file."""
    said = f"; ledger entry {recorded.counter}"
    if recorded.replayed:
        return f"{said}, given back: nothing was charged"
    if recorded.budget is None:
        return said
    spent, allowed = float(recorded.spent), float(recorded.budget)
    return f"{said}, loss {spent:.2f} of {allowed:g} allowed"


def _require_for_ledger(*, seed: str | None, after: Sequence[Path] | None, output: Path) -> None:
    """Raise where an option does not go with a ledger."""
    if seed is not None:
        raise typer.BadParameter("--ledger keeps real releases; one with a seed protects nothing")
    if after:
        raise typer.BadParameter("--ledger knows the earlier releases itself; leave --after out")
    if output == STANDARD:
        raise typer.BadParameter("--ledger hands out files; give -o a file's name")


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
    known = None if network is None else open_network(network, before=walk, tell=False)
    secret = None if walk is None else read_walk(walk, network=known, column=column)
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
