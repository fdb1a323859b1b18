"""Commands of the custodian, who holds the walk: publish and verify."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathveil.cli.bars import compiling_shown
from pathveil.cli.console import (
    console,
    facts,
    print_certificate,
    print_findings,
    print_json,
    warn_unsafe,
)
from pathveil.cli.custodian_notes import (
    Notes,
    are_wanted,
    tell_dearest,
    tell_joins,
    tell_links,
    tell_uncounted,
)
from pathveil.cli.group import tell_load
from pathveil.cli.ledger_options import (
    KeyFile,
    LedgerUse,
    ledger_files,
    may_use_ledger,
    opened_ledger,
    tell_recorded,
)
from pathveil.cli.network_options import NetworkReader, reads_network
from pathveil.cli.options import (
    EXACT,
    PACKED,
    TOLD,
    AsJson,
    Capacity,
    DirectionOption,
    FormOption,
    GroupsFile,
    Identity,
    LayeringOption,
    NetworkFile,
    PublicationFile,
    Recipients,
    UniverseFile,
    WalkFile,
    direction_named,
    form_named,
    layering_named,
    universe_read,
)
from pathveil.cli.outputs import (
    STANDARD,
    Force,
    claim_output,
    open_publication,
    save_publication,
    size_text,
)
from pathveil.cli.policy_options import PolicyText, policy_of
from pathveil.cli.results import findings_data, release_data
from pathveil.cli.series import AfterFiles, load_publications, tell_series

if TYPE_CHECKING:
    from pathveil.checking.verification import Finding
    from pathveil.ledger.entries import Recorded
    from pathveil.model.network import Network
    from pathveil.model.publication import Publication
    from pathveil.model.walk import Walk
    from pathveil.publishing.terms import ReleaseTerms


@may_use_ledger
@reads_network
def publish(
    network: NetworkFile,
    walk: WalkFile,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Where to write *.veil or *.veil.json."
        ),
    ],
    *,
    reader: NetworkReader,
    ledger: LedgerUse | None,
    policy: PolicyText = None,
    layering: LayeringOption = EXACT,
    direction: DirectionOption = TOLD,
    form: FormOption = PACKED,
    capacity: Capacity = None,
    universe: UniverseFile = None,
    groups: GroupsFile = None,
    after: AfterFiles = None,
    seed: Annotated[
        str | None,
        typer.Option("--seed", metavar="N", help="Repeatable coins, for tests; needs --unsafe."),
    ] = None,
    unsafe: Annotated[
        bool,
        typer.Option(
            "--unsafe",
            help="Yes, publish with a seed although that protects nothing from who has it.",
        ),
    ] = False,
    force: Force = False,
    to: Recipients = None,
    notes: Notes = None,
    as_json: AsJson = False,
) -> None:
    """Publish a walk: who knows the network reads it back, others see its links among chaff."""
    if (seed is None) == unsafe:
        raise typer.BadParameter("--seed and --unsafe go together: a seeded release is not private")
    if as_json and output == STANDARD:
        raise typer.BadParameter("--json and -o - both want standard output; give -o a file's name")
    if ledger is not None:
        _require_for_ledger(seed=seed, after=after, output=output)
    claim_output(
        output,
        inputs=[network, walk, universe, groups, *(after or []), *ledger_files(ledger)],
        force=force,
        why="a release handed out should not be replaced unnoticed",
    )
    from pathveil import Grouping, Seeded
    from pathveil.chance.urn import History
    from pathveil.files.publications.size_limits import require_drawable
    from pathveil.files.walks import read_walk
    from pathveil.publishing.release import publish_under
    from pathveil.publishing.terms import ReleaseTerms

    known = reader.network(network)
    pairs = universe_read(universe)
    earlier = load_publications(after)
    history = History.of(one for one in earlier if one.series is not None)
    terms = ReleaseTerms.of(
        after=history,
        policy=policy_of(policy),
        layering=layering_named(layering),
        direction=direction_named(direction),
        universe=pairs,
        grouping=None if groups is None else Grouping.load(groups),
        form=form_named(form),
        capacity=capacity,
    )
    secret = read_walk(walk, network=known)
    if terms.form == "packed" and output != STANDARD:
        over = known.vertices if terms.grouping is None else terms.grouping.names
        require_drawable(over, terms.policy.copies or 1, float(terms.policy.chaff), output)
    recorded = None
    if earlier and not to:
        from pathveil.batching.batch_run import ask_gate_about

        ask_gate_about(known, terms, [one.over(terms.grouping) for one in earlier], [secret])
    with nullcontext() if as_json else console.status("drawing coins"):
        if ledger is not None:
            recorded, publication = _release_through(
                ledger,
                known,
                secret,
                output,
                terms,
                recipients=to or (),
                replacing=force,
            )
        else:
            source = None if seed is None else Seeded(seed)
            publication = publish_under(terms, known, secret, after=history, source=source)
    if recorded is None:
        with compiling_shown(quiet=as_json):
            save_publication(publication, output, to or (), replacing=force)
    if as_json:
        _print_release_data(publication, output, recorded)
        return
    _tell_release(publication, output, recorded, sealed=bool(to))
    if ledger is None and not earlier and not to:
        tell_uncounted(known, secret, terms)
    warn_unsafe(publication)
    if terms.grouping is not None:
        tell_load(known, terms.grouping, chaff=float(terms.policy.chaff))
    if are_wanted(notes):
        if publication.series is not None and terms.grouping is None and ledger is None:
            tell_series(known, history, publication)
            tell_joins([*earlier, publication], known)
        if publication.series is None or publication.lists_vertices:
            tell_dearest(publication, known, secret)
        tell_links(publication, known, secret)


def _release_through(
    ledger: LedgerUse,
    network: Network,
    walk: Walk,
    output: Path,
    terms: ReleaseTerms,
    *,
    recipients: Sequence[str],
    replacing: bool,
) -> tuple[Recorded, Publication]:
    """Return a walk as the ledger recorded and wrote it."""
    with ledger.opened() as book:
        from pathveil.ledger.release_walks import publication_of, release_walks

        (recorded,) = release_walks(
            book,
            network,
            [(walk, output)],
            terms,
            fresh=ledger.fresh,
            budget=ledger.budget,
            recipients=recipients,
            accept_clock=ledger.accept_clock,
            replacing=replacing,
        )
    return recorded, publication_of(recorded, terms.grouping)


def _require_for_ledger(*, seed: str | None, after: Sequence[Path] | None, output: Path) -> None:
    """Raise where an option does not go with a ledger."""
    if seed is not None:
        raise typer.BadParameter("--ledger keeps real releases; one with a seed protects nothing")
    if after:
        raise typer.BadParameter("a ledger knows the series itself; leave --after out")
    if output == STANDARD:
        raise typer.BadParameter("a ledger hands out files; give -o a file's name")


def _is_drawn(publication: Publication, output: Path) -> bool:
    """Return whether the file holds layers; a compact one holds the bits, drawn when looked at."""
    from pathveil.files.publications.any_publication import is_compact_name

    return not is_compact_name(output) and publication.lists_vertices


def _print_release_data(publication: Publication, output: Path, recorded: Recorded | None) -> None:
    """Print what was released as JSON: public facts, nothing of the walk."""
    drawn = _is_drawn(publication, output)
    pieces = len(publication.layered.position_of) if drawn else None
    print_json(release_data(publication, str(output), pieces=pieces, recorded=recorded))


def _tell_release(
    publication: Publication, output: Path, recorded: Recorded | None, *, sealed: bool
) -> None:
    """Print what was released, where it is, and its certificate."""
    console.print(
        facts(
            [
                ("written", f"{output}{', sealed to its readers' if sealed else ''}"),
                *(tell_recorded([recorded]) if recorded is not None else []),
                ("policy", str(publication.policy)),
                ("layered graph", repr(publication.layered)[1:-1].partition(": ")[2])
                if _is_drawn(publication, output)
                else ("size", size_text(output)),
            ]
        )
    )
    print_certificate(publication)


@reads_network
def verify(
    file: PublicationFile,
    network: Annotated[Path | None, typer.Argument(metavar="[NETWORK]")] = None,
    walk: Annotated[Path | None, typer.Argument(metavar="[WALK]")] = None,
    *,
    reader: NetworkReader,
    groups: GroupsFile = None,
    after: AfterFiles = None,
    ledger: Annotated[
        str | None,
        typer.Option("--ledger", metavar="DB", help="The ledger that must have recorded the file."),
    ] = None,
    key: KeyFile = None,
    identity: Identity = None,
    as_json: AsJson = False,
) -> None:
    """Check a publication against itself, with NETWORK its bits too, with WALK that it says it.

    With --after, that it follows those files and that all of them are one series; with --ledger,
    that it was recorded. A claim that could not be checked is no claim that holds: exit code 1.
    """
    from pathveil import Grouping
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
    known = secret = None
    if network is not None:
        known = reader.network(network)
        secret = None if walk is None else read_walk(walk, network=known)
    grouping = None if groups is None else Grouping.load(groups)
    findings = verify_publication(publication, known, secret, grouping=grouping)
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
                f"Not confirmed: {', '.join(unconfirmed)}. The file is consistent with what it "
                "states; whether it was drawn so, only the custodian's ledger (--ledger DB) or "
                "the earlier files (--after FILE) can tell.",
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
        from pathveil.ledger.file_check import check_files

        keys = () if identity is None else read_identities(identity)
        return [
            Finding(one.claim, one.holds, one.detail)
            for one in check_files(ledger, [file], identities=keys)
        ]
