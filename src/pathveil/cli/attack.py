"""Commands of the auditor, who trusts nobody: attack and audit."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathveil.cli.attacks_shown import (
    audit_table,
    frontier_picture,
    layout_words,
    print_inference,
)
from pathveil.cli.bars import busy
from pathveil.cli.console import console, print_json, warn_unsafe
from pathveil.cli.network_options import open_network
from pathveil.cli.options import (
    KNOWS,
    PUBLIC,
    AsJson,
    DirectionOption,
    GroupsFile,
    Identity,
    NetworkFile,
    PolicyText,
    Trust,
    UniverseFile,
    WalkFile,
    direction_named,
    grouping_read,
    policy_of,
    universe_read,
)
from pathveil.cli.outputs import open_publication
from pathveil.cli.results import audit_data, inference_data
from pathveil.cli.series import (
    KnownLinks,
    LinkCount,
    Longest,
    OutsiderKnows,
    Steps,
    WithFiles,
    attack_as_outsider,
    attack_together,
    is_publication,
    load_publications,
)
from pathveil.errors import PathveilError
from pathveil.policies import Policy

if TYPE_CHECKING:
    from pathveil import Knowledge, Publication
    from pathveil.attacks.one_file.posterior import Inference


def attack(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE... [NETWORK]",
            help="Publications; and the network, to attack with all of it but --lacking, or to "
            "judge what an outsider guesses.",
        ),
    ],
    *,
    _lacking: Annotated[
        bool,
        typer.Option("--lacking", metavar="U V ...", help="Links the attacker does not know."),
    ] = True,
    others: WithFiles = None,
    identity: Identity = None,
    groups: GroupsFile = None,
    as_json: AsJson = False,
    spanning: Annotated[
        bool,
        typer.Option(
            "--spanning", rich_help_panel=KNOWS, help="That the walk visits every vertex."
        ),
    ] = False,
    known_steps: Annotated[
        list[str] | None,
        typer.Option(
            "--knows-step", metavar="'U>V'", rich_help_panel=KNOWS, help="That it goes from U to V."
        ),
    ] = None,
    first: Annotated[
        str | None,
        typer.Option("--knows-first", metavar="V", rich_help_panel=KNOWS, help="Its first vertex."),
    ] = None,
    last: Annotated[
        str | None,
        typer.Option("--knows-last", metavar="V", rich_help_panel=KNOWS, help="Its last vertex."),
    ] = None,
    links: LinkCount = None,
    know: KnownLinks = None,
    longest: Longest = None,
    steps: Steps = 3_000_000,
    trust: Trust = False,
) -> None:
    """Attack publications: as someone who lacks a link, or as an outsider who knows none.

    With NETWORK --lacking U V: how well are the lacking links guessed? Without --lacking: what does
    someone read who holds all the files and nothing else? Several files must be over the same
    vertices and under the same terms.
    """
    files, network, ends = _sorted_arguments(arguments)
    files = [*files, *(others or [])]
    if len(ends) % 2:
        raise typer.BadParameter(f"{len(ends)} ends of links; a link has two: --lacking U V ...")
    lacking = list(zip(ends[::2], ends[1::2], strict=True))
    from pathveil import Knowledge

    known = None if network is None else open_network(network)
    if len(files) > 1 or known is None or not lacking:
        if any((spanning, known_steps, first, last)):
            # An attack must not understate.
            raise typer.BadParameter(
                "--spanning, --knows-step, --knows-first and --knows-last go with one file and "
                "--lacking; the attack on several files does not use them"
            )
        publications = load_publications(files, identity=identity)
        if lacking:
            attack_together(publications, known, lacking, as_json=as_json)
        else:
            knows = OutsiderKnows(links, know, longest, steps)
            attack_as_outsider(publications, known, knows, as_json=as_json)
        return
    publication = open_publication(files[0], identity, trust=trust).over(grouping_read(groups))
    held = Knowledge(
        known.without(*lacking),
        missing=len(lacking),
        steps=[_step(text, known.vertices) for text in known_steps or ()],
        first=first,
        last=last,
    )
    with busy("trying what fits", quiet=as_json):
        inferred = _inferred(publication, held, spanning=spanning)
    if as_json:
        print_json(inference_data(inferred))
    else:
        layout = ""
        if publication.drawing is not None:
            layout = layout_words(publication, held, inferred, spanning=spanning)
        warn_unsafe(publication)
        print_inference(inferred, truth=lacking, layout=layout)
    if inferred.within_certificate is False:
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


def _step(text: str, vertices: Collection[str]) -> tuple[str, str]:
    """Return a step written U>V, whatever characters the names hold."""
    places = [i for i, sign in enumerate(text) if sign == ">"]
    steps = [(text[:i].strip(), text[i + 1 :].strip()) for i in places]
    known = [step for step in steps if set(step) <= set(vertices)]
    if len(known) != 1:
        raise PathveilError(
            f"--knows-step {text!r}: is no step between two vertices; write it U>V, in quotes"
        )
    return known[0]


def audit(
    network: NetworkFile,
    walk: WalkFile,
    ends: Annotated[
        list[str], typer.Argument(metavar="U V", help="The link that one side does not know.")
    ],
    *,
    _lacking: Annotated[bool, typer.Option("--lacking", metavar="U V", help="That link.")] = True,
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
    confidence: Annotated[
        float,
        typer.Option(
            "--confidence", min=0.5, max=0.999999, metavar="P", help="That no bound is wrong."
        ),
    ] = 0.999,
    universe: UniverseFile = None,
    direction: DirectionOption = PUBLIC,
    as_json: AsJson = False,
) -> None:
    """Measure the loss of real releases from outside, and compare it with what is claimed.

    It can refute a claim, not prove it. The default catches a release whose loss is 10 % above its
    certificate; rare chaff (rates below 1 in 100) takes --samples 100000 or more. At the default
    confidence at most one honest release in a thousand is called broken.
    """
    if len(ends) != 2:
        raise typer.BadParameter(f"{len(ends)} ends of a link; expected two: --lacking U V")
    from pathveil.checking.release_audit import (
        LinkRelease,
        audit_release,
        claim,
        releases_drawn,
    )
    from pathveil.files.walks import read_walk
    from pathveil.publishing.terms import ReleaseTerms

    known = open_network(network)
    secret = read_walk(walk, network=known)
    u, v = sorted(ends)
    pairs = universe_read(universe)
    chosen = policy_of(policy) or Policy.balanced()
    drawn, told = releases_drawn(samples), direction_named(direction)
    with busy(f"drawing {drawn} releases", quiet=as_json):
        terms = ReleaseTerms.of(policy=chosen, universe=pairs, direction=told)
        release = LinkRelease(known, secret, terms, (u, v))
        found = audit_release(release, samples=samples, confidence=confidence)
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
