"""Commands of the custodian, who holds the walk: publish, batch and verify."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from pathveil.apps.console import (
    console,
    facts,
    print_certificate,
    print_findings,
    print_json,
    progress_bar,
    warn_unsafe,
)
from pathveil.apps.groups import tell_load
from pathveil.apps.keeper import (
    AcceptClock,
    Budget,
    Fresh,
    KeyFile,
    LedgerOption,
    exact_budget,
    opened_ledger,
    require_ledger,
    tell_recorded,
)
from pathveil.apps.opening import save_publication
from pathveil.apps.options import (
    EXACT,
    PACKED,
    TOLD,
    AsJson,
    Capacity,
    DirectionOption,
    FormOption,
    GroupsFile,
    LargestComponent,
    LayeringOption,
    NetworkFile,
    PublicationFile,
    Recipients,
    Scheduler,
    Simplify,
    UniverseFile,
    WalkFile,
    Workers,
    direction_named,
    form_named,
    layering_named,
)
from pathveil.apps.outputs import STANDARD, Force, claim_output
from pathveil.apps.policy_options import may_take_policy, takes_policy
from pathveil.apps.results import batch_data, findings_data, publication_data, recorded_data
from pathveil.apps.series import AfterFiles, load_publications, tell_series
from pathveil.chance.policy import Policy
from pathveil.formats.pictures.labelling import counted

AcceptOutsider = Annotated[
    bool,
    typer.Option(
        "--accept-outsider", help="Yes, hand files out although who collects them reads walks."
    ),
]

if TYPE_CHECKING:
    from pathveil.chance.losses import EdgeLoss
    from pathveil.ledger.entries import Recorded
    from pathveil.model.network import Network
    from pathveil.model.publication import Publication
    from pathveil.model.universe import Universe
    from pathveil.model.walk import Walk


@takes_policy
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
    policy: Policy,
    layering: LayeringOption = EXACT,
    direction: DirectionOption = TOLD,
    form: FormOption = PACKED,
    capacity: Capacity = None,
    universe: UniverseFile = None,
    by_digest: Annotated[
        bool,
        typer.Option("--universe-by-digest", help="Name the universe by digest; readers bring it."),
    ] = False,
    groups: GroupsFile = None,
    after: AfterFiles = None,
    seed: Annotated[
        str | None,
        typer.Option("--seed", metavar="N", help="Repeatable coins, for tests; needs --unsafe."),
    ] = None,
    unsafe: Annotated[
        bool,
        typer.Option("--unsafe", help="Yes, publish with a seed although it protects nothing."),
    ] = False,
    force: Force = False,
    ledger: LedgerOption = None,
    key: KeyFile = None,
    fresh: Fresh = False,
    budget: Budget = None,
    accept_clock: AcceptClock = False,
    accept_outsider: AcceptOutsider = False,
    to: Recipients = None,
    simplify: Simplify = False,
    largest_component: LargestComponent = False,
    as_json: AsJson = False,
) -> None:
    """Publish a walk: who knows the network reads it back, others see chaff."""
    if (seed is None) == unsafe:
        raise typer.BadParameter("--seed and --unsafe go together: a seeded release is not private")
    claim_output(
        output,
        inputs=[network, walk, universe, groups, *(after or [])],
        force=force,
        why="a release handed out should not be replaced unnoticed",
    )
    require_ledger(ledger, key=key, fresh=fresh, budget=budget, accept_clock=accept_clock)
    if ledger is not None and seed is not None:
        raise typer.BadParameter("--ledger keeps real releases; one with a seed protects nothing")
    if ledger is not None and after:
        raise typer.BadParameter("a ledger knows the series itself; leave --after out")
    if ledger is not None and form != PACKED:
        raise typer.BadParameter("a ledger keeps packed releases in this version; leave --form out")
    if ledger is not None and output == STANDARD:
        raise typer.BadParameter("a ledger hands out files; give -o a file's name")
    from pathveil import Grouping, Seeded
    from pathveil import publish as publish_walk
    from pathveil.chance.losses import custodian_losses
    from pathveil.formats import read_network, read_walk
    from pathveil.formats.publications import is_compact_name
    from pathveil.model.universe import Universe

    known = read_network(network, simplify=simplify, largest_component=largest_component)
    pairs = None
    if universe is not None:
        pairs = Universe.of(read_network(universe, simplify=True), by_digest=by_digest)
    grouping = None if groups is None else Grouping.load(groups)
    earlier = load_publications(after)
    if earlier and policy == Policy.balanced():  # none was asked for: that of the series
        policy = Policy.from_terms(earlier[0].policy)
    secret = read_walk(walk, network=known)
    recorded = None
    with nullcontext() if as_json else console.status("drawing coins"):
        if as_json and output == STANDARD:
            raise typer.BadParameter(
                "--json and -o - both want standard output; give -o a file's name"
            )
        if ledger is not None:
            with opened_ledger(ledger, key) as book:
                from pathveil.gatekeeper import ledger_gate
                from pathveil.releasing import publication_of, release_walks
                from pathveil.terms import ReleaseTerms

                (recorded,) = release_walks(
                    book,
                    known,
                    [(secret, output)],
                    ReleaseTerms(
                        policy,
                        layering=layering_named(layering),
                        direction=direction_named(direction),
                        universe=pairs,
                        grouping=grouping,
                    ),
                    fresh=fresh,
                    budget=exact_budget(budget),
                    recipients=to or (),
                    gate=None
                    if accept_outsider or to or grouping is not None
                    else ledger_gate(known, policy, independent=True, from_second=True),
                    accept_clock=accept_clock,
                )
            publication = publication_of(recorded, grouping)
        else:
            publication = publish_walk(
                known,
                secret,
                policy=policy,
                layering=layering_named(layering),
                direction=direction_named(direction),
                source=None if seed is None else Seeded(seed),
                universe=pairs,
                grouping=grouping,
                after=earlier,
                form=form_named(form),
                capacity=capacity,
            )
    with nullcontext() if as_json else console.status("writing the file"):
        if recorded is None:
            save_publication(publication, output, to or ())
    # A compact file holds the bits alone: its layers are drawn when somebody looks at them.
    drawn = not is_compact_name(output) and not publication.is_sketched
    if as_json:
        told = {"file": str(output), **publication_data(publication)}
        if drawn:
            told["pieces"] = len(publication.layered.position_of)
        print_json(told if recorded is None else {**told, "ledger": recorded_data(recorded)})
        return
    console.print(
        facts(
            [
                ("written", f"{output}{', sealed to its readers' if to else ''}"),
                *(tell_recorded([recorded]) if recorded is not None else []),
                ("policy", str(publication.policy)),
                ("layered graph", repr(publication.layered)[1:-1].partition(": ")[2])
                if drawn
                else ("size", f"{output.stat().st_size:,} bytes"),
            ]
        )
    )
    print_certificate(publication)
    positions = publication.bits.positions_of(known.vertices)
    if publication.series is not None and grouping is None and ledger is None:
        tell_series(known, earlier, publication, policy)
    in_use = Policy.from_terms(publication.policy)  # a sketch rounds the rates
    _tell_custodian(custodian_losses(known, secret, in_use, positions, edges=secret.edges))
    if grouping is not None:
        tell_load(known, grouping, chaff=float(policy.chaff))
    _tell_links(publication, known, secret, pairs)
    warn_unsafe(publication)


def _tell_custodian(losses: Sequence[EdgeLoss]) -> None:
    """Print what the walk itself decides; it is in no file and no JSON, which may be passed on."""
    dearest = max((loss for loss in losses if loss.uses), key=lambda loss: float(loss.presence))
    u, v = dearest.edge
    first, second = dearest.copies
    console.print(
        f"For your eyes only: the dearest walk edge here is {u} - {v}, used "
        f"{counted(dearest.uses, 'time')}, with {first} x {second} copies: {dearest.presence}",
        markup=False,
    )


MOST_LINKS = 60
"""Walk links up to which each is taken away in turn for the custodian's eyes."""


def _tell_links(
    publication: Publication, network: Network, walk: Walk, universe: Universe | None
) -> None:
    """Print which walk links are told best, worst first; in no file and no JSON either."""
    if len(walk.edges) > MOST_LINKS:
        return
    from pathveil.adversary.identifying import identify_links

    pairs = None if publication.universe is None or universe is None else universe.pairs
    with console.status("asking who misses a link"):
        found = identify_links(publication, network, walk, universe=pairs)
    if not found:
        return
    table = Table(
        title="For your eyes only: each walk link, missed by one who knows all else, worst first",
        title_justify="left",
    )
    for head in ("link", "possible joins", "named before", "named after"):
        table.add_column(head, justify="left" if head == "link" else "right")
    for risk in found[:8]:
        u, v = risk.edge
        sure = " (alone)" if risk.alone else ""
        after = f"{risk.after:.1%}{sure}"
        table.add_row(escape(f"{u} - {v}"), str(risk.joins), f"{risk.before:.1%}", after)
    table.caption = "A release may be withheld; drawing it again until it looks good would leak."
    table.caption_justify = "left"
    console.print(table)


@may_take_policy(unsaid="remembering")
def batch(
    network: NetworkFile,
    walks: Annotated[
        Path,
        typer.Argument(metavar="WALKS", help="One walk a line: commas, or a JSON list. Secret."),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="OUT", help="*.jsonl, *.csv, *.parquet, or a folder's name."
        ),
    ],
    *,
    policy: Policy | None,
    force: Force = False,
    groups: GroupsFile = None,
    after: Annotated[
        list[Path] | None,
        typer.Option(
            "--after",
            metavar="FILE",
            help="An earlier file of the series, or a folder of them; give all of them.",
        ),
    ] = None,
    independent: Annotated[
        bool,
        typer.Option(
            "--independent", help="Yes, fresh coins for each walk, although their losses add up."
        ),
    ] = False,
    accept_outsider: AcceptOutsider = False,
    workers: Workers = 2,
    scheduler: Scheduler = None,
    ledger: LedgerOption = None,
    key: KeyFile = None,
    fresh: Fresh = False,
    budget: Budget = None,
    accept_clock: AcceptClock = False,
    to: Recipients = None,
    simplify: Simplify = False,
    largest_component: LargestComponent = False,
    as_json: AsJson = False,
) -> None:
    """Publish many walks over one network; killed and started again it goes on where it was."""
    require_ledger(ledger, key=key, fresh=fresh, budget=budget, accept_clock=accept_clock)
    claim_output(
        output,
        inputs=[network, walks],
        force=force or ledger is not None,  # it gives back what is there, and guards the rest
        why="releases handed out should not be replaced unnoticed",
    )
    from pathveil import Grouping
    from pathveil.batching import batch as publish_many
    from pathveil.errors import GateClosed
    from pathveil.formats import read_network
    from pathveil.formats.envelopes import sealing
    from pathveil.gatekeeper import ledger_gate

    known = read_network(network, simplify=simplify, largest_component=largest_component)
    grouping = None if groups is None else Grouping.load(groups)
    recorded: Sequence[Recorded] = ()
    try:
        if ledger is not None:
            with opened_ledger(ledger, key) as book:
                from pathveil.releasing import release_batch
                from pathveil.terms import ReleaseTerms

                asked = policy or Policy.remembering()
                report, recorded = release_batch(
                    book,
                    known,
                    walks,
                    output,
                    ReleaseTerms(asked, grouping=grouping),
                    fresh=fresh,
                    budget=exact_budget(budget),
                    recipients=to or (),
                    gate=None
                    if accept_outsider or to or grouping is not None
                    else ledger_gate(known, asked, independent=independent),
                    accept_clock=accept_clock,
                )
        else:
            with progress_bar("walks", quiet=as_json) as progress:
                report = publish_many(
                    known,
                    walks,
                    output,
                    policy=policy,
                    grouping=grouping,
                    after=_publications(after or ()),
                    independent=independent,
                    accept_outsider=accept_outsider,
                    workers=workers,
                    scheduler=scheduler,
                    progress=progress,
                    wrap=sealing(to) if to else None,
                )
    except GateClosed as refused:
        if not as_json:
            _tell_gate(refused.report)
        raise
    if as_json:
        told = batch_data(report)
        listed = [recorded_data(release) for release in recorded]
        print_json(told if ledger is None else {**told, "ledger": listed})
    else:
        console.print(
            f"{report.published} walks published to {report.output}"
            + (f", {report.resumed} of them before" if report.resumed else ""),
            markup=False,
        )
        if recorded:
            console.print(facts(tell_recorded(recorded)))
        _tell_gate(report.gate)
        if report.certificate is not None:
            file = f"{report.output}.certificate.json"
            console.print(f"one certificate for all: {file}", markup=False)
        for failure in report.failures:
            console.print(f"{walks}, {failure.message}", markup=False)
    if report.failures:
        raise typer.Exit(2)


def _publications(paths: Sequence[Path]) -> list[Publication]:
    """Return the publications in some files, and in all *.veil.json of some folders."""
    from pathveil import Publication

    files = [
        file
        for path in paths
        for file in (sorted(path.glob("*.veil.json")) if path.is_dir() else [path])
    ]
    return [Publication.load(file) for file in files]


def _tell_gate(report: object) -> None:
    """Print what outsiders would read; it is in no file and no JSON, which may be passed on."""
    from pathveil.gate import GateReport, report_sentences

    if isinstance(report, GateReport):
        console.print("For your eyes only, at the gate:")
        for line in report_sentences(report):
            console.print(Padding(escape(line), (0, 0, 0, 2)))


def verify(
    file: PublicationFile,
    network: Annotated[Path | None, typer.Argument(metavar="[NETWORK]")] = None,
    walk: Annotated[Path | None, typer.Argument(metavar="[WALK]")] = None,
    *,
    groups: GroupsFile = None,
    after: AfterFiles = None,
    universe: UniverseFile = None,
    simplify: Simplify = False,
    largest_component: LargestComponent = False,
    as_json: AsJson = False,
) -> None:
    """Check a publication against itself, with NETWORK its bits too, with WALK that it says it.

    With --after, that it follows those files and that all of them are one series.
    """
    from pathveil import Grouping, Publication
    from pathveil.formats import read_network, read_walk
    from pathveil.verifying import verify_publication
    from pathveil.verifying_series import verify_promise, verify_series

    publication = Publication.load(file, trust=True)  # what is false is a finding, not an error
    known = secret = None
    if network is not None:
        known = read_network(network, simplify=simplify, largest_component=largest_component)
        secret = None if walk is None else read_walk(walk, network=known)
    grouping = None if groups is None else Grouping.load(groups)
    pairs = None if universe is None else read_network(universe, simplify=True)
    findings = verify_publication(publication, known, secret, grouping=grouping, universe=pairs)
    earlier = [found.over(grouping) for found in load_publications(after)]
    if earlier:
        findings += verify_series([*earlier, publication.over(grouping)])
    else:
        findings += verify_promise(publication.over(grouping))
    holds = all(finding.holds for finding in findings)
    if as_json:
        print_json(findings_data(findings))
    else:
        print_findings(findings)
        warn_unsafe(publication)
    if not holds:
        raise typer.Exit(1)
