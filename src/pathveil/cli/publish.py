"""Commands of the custodian, who holds the walk: publish and verify."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathveil.cli.bars import busy
from pathveil.cli.console import console, print_findings, print_json, warn_unsafe
from pathveil.cli.ledger_options import (
    AcceptClock,
    Budget,
    Fresh,
    KeyFile,
    LedgerOption,
    LedgerUse,
    opened_ledger,
)
from pathveil.cli.network_options import open_network
from pathveil.cli.options import (
    EXACT,
    EXPERT,
    PACKED,
    PUBLIC,
    AsJson,
    Capacity,
    Column,
    DirectionOption,
    FormOption,
    ForReaders,
    GroupsFile,
    Identity,
    LayeringOption,
    NetworkFile,
    PolicyText,
    PublicationFile,
    Recipients,
    UniverseFile,
    WalkFile,
    direction_named,
    form_named,
    grouping_read,
    layering_named,
    policy_of,
    universe_read,
)
from pathveil.cli.outputs import (
    STANDARD,
    Force,
    claim_output,
    open_publication,
    save_publication,
)
from pathveil.cli.release_shown import (
    Notes,
    cover_words,
    readers_file,
    release_lines,
    show_lines,
    tell_this_draw,
    uncounted_words,
    write_reader_lines,
)
from pathveil.cli.results import findings_data, release_data
from pathveil.cli.series import AfterFiles, load_publications

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
    notes: Notes = None,
    force: Force = False,
    as_json: AsJson = False,
    after: AfterFiles = None,
    groups: GroupsFile = None,
    ledger: LedgerOption = None,
    key: KeyFile = None,
    budget: Budget = None,
    fresh: Fresh = False,
    accept_clock: AcceptClock = False,
    direction: DirectionOption = PUBLIC,
    form: FormOption = PACKED,
    capacity: Capacity = None,
    universe: UniverseFile = None,
    layering: LayeringOption = EXACT,
    seed: Annotated[
        str | None,
        typer.Option(
            "--seed",
            metavar="N",
            rich_help_panel=EXPERT,
            help="Repeatable coins, for tests only; needs --unsafe.",
        ),
    ] = None,
    unsafe: Annotated[
        bool,
        typer.Option(
            "--unsafe",
            rich_help_panel=EXPERT,
            help="Yes, use a seed: whoever has it sees through the chaff.",
        ),
    ] = False,
) -> None:
    """Publish a walk: whoever knows the network reads it, others see its links among chaff."""
    if (seed is None) == unsafe:
        raise typer.BadParameter("--seed and --unsafe go together: a seeded release is not private")
    if output == STANDARD and (as_json or for_readers):
        raise typer.BadParameter("--json and --for-readers need a file: give -o a file's name")
    use = LedgerUse.of(ledger, key=key, budget=budget, fresh=fresh, accept_clock=accept_clock)
    if use is not None:
        _require_for_ledger(seed=seed, after=after, output=output)
    if for_readers and output != STANDARD:
        claim_output(readers_file(output), inputs=[network, walk], force=force)
    claim_output(
        output,
        inputs=[network, walk, universe, groups, *(after or []), *(use.files if use else [])],
        force=force,
        why="a release handed out should not be replaced unnoticed",
    )
    from pathveil.chance.urn import History
    from pathveil.files.publications.size_limits import require_drawable
    from pathveil.files.walks import read_walk
    from pathveil.publishing.terms import ReleaseTerms

    known = open_network(network)
    earlier = load_publications(after)
    terms = ReleaseTerms.of(
        after=History.of(one for one in earlier if one.series is not None),
        policy=policy_of(policy),
        layering=layering_named(layering),
        direction=direction_named(direction),
        universe=universe_read(universe),
        grouping=grouping_read(groups),
        form=form_named(form),
        capacity=capacity,
    )
    secret = read_walk(walk, network=known, column=column)
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
        print_json(release_data(publication, str(output), recorded=recorded))
        return
    show_lines(
        release_lines(
            publication,
            output,
            outsiders="get nothing: the file is encrypted" if to else outsiders,
            sealed=bool(to),
            recorded="" if recorded is None else recorded_words(recorded),
        )
    )
    if lines is not None:
        show_lines([("send also", str(lines))])
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
    from pathveil.batching.batch_run import ask_gate_about
    from pathveil.chance.urn import History
    from pathveil.errors import Incompatible
    from pathveil.publishing.release import publish_under

    if earlier and public:
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


def recorded_words(recorded: Recorded) -> str:
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
    known = None if network is None else open_network(network)
    secret = None if walk is None else read_walk(walk, network=known, column=column)
    findings = verify_publication(publication, known, secret, grouping=grouping_read(groups))
    earlier = load_publications(after, identity=identity)
    if earlier:
        findings += verify_series([*earlier, publication])
    if ledger is not None:
        findings += _recorded_in(ledger, key, file, identity)
    unconfirmed = () if earlier or ledger else UNCONFIRMED
    if as_json:
        print_json({**findings_data(findings), "unconfirmed": list(unconfirmed)})
    else:
        print_findings(findings)
        warn_unsafe(publication)
        if unconfirmed:
            console.print(
                f"Not confirmed: {', '.join(unconfirmed)}. Only the custodian's ledger (--ledger "
                "DB) or the earlier files (--after FILE) can tell.",
                markup=False,
            )
        console.print(verdict_line(findings), markup=False)
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
