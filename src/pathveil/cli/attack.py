"""Commands of the auditor, who trusts nobody: attack and audit."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathveil.cli.attacks_shown import (
    audit_table,
    frontier_picture,
    layout_words,
    print_inference,
)
from pathveil.cli.console import console, print_json, warn_unsafe
from pathveil.cli.network_options import NetworkReader, reads_network
from pathveil.cli.options import (
    TOLD,
    AsJson,
    DirectionOption,
    GroupsFile,
    NetworkFile,
    Trust,
    UniverseFile,
    WalkFile,
    direction_named,
    universe_read,
)
from pathveil.cli.policy_options import PolicyText, policy_of
from pathveil.cli.results import audit_data, inference_data
from pathveil.cli.series import (
    KnownLinks,
    LinkCount,
    Longest,
    Steps,
    WithFiles,
    attack_many,
    is_publication,
)
from pathveil.errors import PathveilError
from pathveil.policies import Policy

if TYPE_CHECKING:
    from pathveil import Knowledge, Publication
    from pathveil.attacks.one_file.posterior import Inference


@reads_network
def attack(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE... [NETWORK] [U V ...]",
            help="Publications (*.veil.json, *.veil); the network; links the adversary lacks.",
        ),
    ],
    *,
    reader: NetworkReader,
    _missing: Annotated[
        bool, typer.Option("--lacking", help="Names the links U V ... that the adversary lacks.")
    ] = True,
    others: WithFiles = None,
    links: LinkCount = None,
    know: KnownLinks = None,
    longest: Longest = None,
    steps: Steps = 3_000_000,
    spanning: Annotated[
        bool,
        typer.Option("--spanning", help="The adversary knows that the walk visits everything."),
    ] = False,
    known_steps: Annotated[
        list[str] | None,
        typer.Option("--knows-step", metavar="U>V", help="He knows that the walk goes U to V."),
    ] = None,
    first: Annotated[
        str | None, typer.Option("--knows-first", metavar="V", help="He knows the first vertex.")
    ] = None,
    last: Annotated[
        str | None, typer.Option("--knows-last", metavar="V", help="He knows the last vertex.")
    ] = None,
    trust: Trust = False,
    groups: GroupsFile = None,
    as_json: AsJson = False,
) -> None:
    """Show what is left to someone who knows the network but for some links.

    With several files, or without --lacking: what somebody reads who holds all of them. They must
    be over the same vertices and under the same terms, without universe and grouping.
    """
    files, network, ends = _sorted_arguments(arguments)
    if len(ends) % 2:
        raise typer.BadParameter(f"{len(ends)} ends of links; a link has two: --lacking U V ...")
    missing = list(zip(ends[::2], ends[1::2], strict=True))
    from pathveil import Grouping, Knowledge, Publication

    known = None
    if network is not None:
        known = reader.network(network)
    files = [*files, *(others or [])]
    grouping = None if groups is None else Grouping.load(groups)
    if len(files) > 1 or known is None or not missing:
        _require_unused(spanning, known_steps, first, last)
        attack_many(
            files,
            known,
            missing,
            links=links,
            know=know,
            longest=longest,
            steps=steps,
            as_json=as_json,
        )
        return
    publication = Publication.load(files[0], trust=trust).over(grouping)
    held = Knowledge(
        known.without(*missing),
        missing=len(missing),
        steps=[_step(text, known.vertices) for text in known_steps or ()],
        first=first,
        last=last,
    )
    found = _inferred(publication, held, spanning=spanning)
    if as_json:
        print_json(inference_data(found))
    else:
        print_inference(found, truth=missing)
        if publication.drawing is not None:
            words = layout_words(publication, held, found, spanning=spanning)
            console.print(words, markup=False)
        warn_unsafe(publication)
    if found.within_certificate is False:
        raise typer.Exit(1)


def _inferred(publication: Publication, held: Knowledge, *, spanning: bool) -> Inference:
    """Return what is left to the adversary; what he cannot know is an error of the user's."""
    from pathveil import attack as infer

    try:
        return infer(publication, held, spanning=spanning)
    except PathveilError:
        raise
    except ValueError as error:
        raise PathveilError(str(error)) from None


def _sorted_arguments(arguments: list[str]) -> tuple[list[Path], Path | None, list[str]]:
    """Return publications, network and ends; the first argument is a publication in any case."""
    count = 1
    while count < len(arguments) and is_publication(arguments[count]):
        count += 1
    files = [Path(name) for name in arguments[:count]]
    network = Path(arguments[count]) if count < len(arguments) else None
    return files, network, arguments[count + 1 :]


def _require_unused(*knowledge: object) -> None:
    """Refuse what the attack on several files would not use: an attack must not understate."""
    if any(knowledge):
        raise typer.BadParameter(
            "--spanning, --knows-step, --knows-first and --knows-last go with one file and a "
            "missing link; the attack on several files does not use them"
        )


def _step(text: str, vertices: Collection[str]) -> tuple[str, str]:
    """Return a step written U>V, whatever signs the names hold."""
    places = [i for i, sign in enumerate(text) if sign == ">"]
    found = [(text[:i].strip(), text[i + 1 :].strip()) for i in places]
    known = [step for step in found if set(step) <= set(vertices)]
    if len(known) != 1:
        raise PathveilError(
            f"--knows-step {text!r}: is no step between two vertices; write it U>V, in quotes"
        )
    return known[0]


@reads_network
def audit(
    network: NetworkFile,
    walk: WalkFile,
    ends: Annotated[
        list[str], typer.Argument(metavar="U V", help="The link that one side does not know.")
    ],
    *,
    reader: NetworkReader,
    _missing: Annotated[bool, typer.Option("--lacking", help="Says that U V is that link.")] = True,
    policy: PolicyText = None,
    samples: Annotated[
        int, typer.Option("--samples", min=100, help="Confirming releases on each side.")
    ] = 20_000,
    confidence: Annotated[
        float, typer.Option("--confidence", min=0.5, max=0.999999, help="That no bound is wrong.")
    ] = 0.999,
    universe: UniverseFile = None,
    direction: DirectionOption = TOLD,
    as_json: AsJson = False,
) -> None:
    """Measure the loss of real releases from outside, against what is claimed of them.

    It can refute a claim, not prove it. As a rule the default catches a release whose loss is 10 %
    above its certificate, and 5 % in three of four audits; rare chaff (rates below 1 in 100) and
    losses near nothing take --samples 100000 or more. At the default confidence one honest release
    in a thousand is called broken, at most.
    """
    if len(ends) != 2:
        raise typer.BadParameter(f"{len(ends)} ends of a link; expected two: --lacking U V")
    from pathveil.checking.release_audit import audit_release, claim, releases_drawn
    from pathveil.files.walks import read_walk

    known = reader.network(network)
    secret = read_walk(walk, network=known)
    u, v = sorted(ends)
    pairs = universe_read(universe)
    chosen = policy_of(policy) or Policy.balanced()
    drawn, told = releases_drawn(samples), direction_named(direction)
    with nullcontext() if as_json else console.status(f"drawing {drawn} releases"):
        found = audit_release(
            known,
            secret,
            policy=chosen,
            link=(u, v),
            samples=samples,
            confidence=confidence,
            universe=pairs,
            direction=told,
        )
    whose, presence, absence = claim(chosen, on_walk=(u, v) in secret.links)
    if as_json:
        print_json(
            audit_data(
                found,
                policy=str(chosen),
                whose=whose,
                claimed=(presence, absence),
                drawn=drawn,
                direction=told,
                universe=pairs,
            )
        )
    else:
        console.print(audit_table(found, whose=whose, drawn=drawn))
        console.print(frontier_picture(chosen, width=min(48, console.width - 8)), markup=False)
    if found.verdict == "refuted":
        raise typer.Exit(1)
