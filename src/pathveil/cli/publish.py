"""The custodian's command, publish: what is said afterwards is five lines, and one about this draw.

The five lines come from public terms alone and are the same for every draw of the coins. What this
draw did to this walk names links of the walk, so it goes to standard error, and only where a person
looks (a terminal) or asks (``--notes``): a log is a file too.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathveil.chance.source import Seeded
from pathveil.chance.urn import History
from pathveil.cli import options, paths
from pathveil.cli.console import busy, print_json, say_aside, show_lines, warn_unsafe
from pathveil.cli.console import notes as screen
from pathveil.cli.results import ReleaseResult, result
from pathveil.errors import BadFile, Incompatible
from pathveil.files.atomic_write import write_aside
from pathveil.files.publications.any_publication import require_publication_name
from pathveil.files.publications.size_limits import require_drawable
from pathveil.model.network import Network
from pathveil.model.publication import Publication, Verdict
from pathveil.model.walk import Walk
from pathveil.policies.paper import Paper
from pathveil.wording import counted

if TYPE_CHECKING:
    from pathveil.ledger.entries import Recorded
    from pathveil.planning.cover import Cover, Life
    from pathveil.publishing.terms import ReleaseTerms


def publish(
    network: options.NetworkFile,
    walk: options.WalkFile,
    output: Annotated[Path, options.output("FILE", "*.veil.json, or *.veil, which is compact.")],
    *,
    policy: options.PolicyText = None,
    to: options.Recipients = None,
    for_readers: options.ForReaders = False,
    column: options.Column = None,
    codes: options.CodesFile = None,
    notes: Annotated[
        bool,
        options.option(
            "--notes",
            None,
            "Say what this file did to your walk, for your eyes only; a terminal always does. "
            "With --to only readers can look later.",
        ),
    ] = False,
    force: options.Force = False,
    as_json: options.AsJson = False,
    after: options.AfterFiles = None,
    identity: options.Identity = None,
    groups: options.GroupsFile = None,
    ledger: options.LedgerOption = None,
    key: options.KeyFile = None,
    budget: options.Budget = None,
    direction: options.DirectionOption = "public",
    form: options.FormOption = "packed",
    capacity: options.Capacity = None,
    universe: options.UniverseFile = None,
    layering: options.LayeringOption = "exact",
    seed: Annotated[
        int | None,
        options.option(
            "--unsafe-seed",
            "N",
            "Repeatable coins, for tests only: whoever has the seed tells links from chaff.",
            options.EXPERT,
        ),
    ] = None,
) -> None:
    """Publish a walk: whoever knows the network reads it, others see chaff.

    Examples
    --------
    pathveil publish suppliers.csv route.txt -o route.veil.json
    pathveil publish net.graphml day3.csv -o day3.veil --ledger releases.db
    """
    if output == paths.STANDARD and (as_json or for_readers):
        raise typer.BadParameter("--json and --for-readers need a file: give -o a file's name")
    use = paths.LedgerUse.of(ledger, key=key, budget=budget)
    if use is not None:
        _require_for_ledger(seed=seed, after=after, output=output)
    inputs = [network, walk, codes, universe, groups, *(after or [])]
    if for_readers:
        paths.claim_output(readers_file(output), inputs=inputs, force=force)
    paths.claim_output(
        output,
        inputs=[*inputs, *(use.files if use else [])],
        force=force or use is not None,  # a ledger gives back what is there and guards the rest
        why="a release handed out should not be replaced unnoticed",
    )
    from pathveil.checking.judging import DrawFindings
    from pathveil.publishing.release import publish_under
    from pathveil.publishing.terms import ReleaseTerms

    require_publication_name(output, sealed=bool(to))
    table = paths.codes_read(codes)
    known, secret = paths.open_both(network, walk, column=column, codes=table, tell=True)
    earlier = paths.load_publications(after, identity=identity)
    history = History.of(one for one in earlier if one.series is not None) if earlier else None
    terms = ReleaseTerms.of(
        after=history,
        policy=policy,
        layering=layering,
        direction=direction,
        universe=paths.universe_read(universe),
        grouping=paths.grouping_read(groups),
        form=form,
        capacity=capacity,
    )
    if terms.form == "packed" and output != paths.STANDARD:
        over = known.vertices if terms.grouping is None else terms.grouping.names
        require_drawable(over, terms.policy.copies or 1, float(terms.policy.chaff), output)
    recorded, outsiders, together = None, "", bool(earlier)
    with busy("drawing coins", quiet=as_json):
        if use is not None:
            recorded, publication, outsiders, together = _release_through(
                use, known, (secret, output), terms, to or (), replacing=force
            )
        else:
            require_public_series(terms, earlier, sealed=bool(to or identity))
            if earlier and not to:
                from pathveil.batching.batch_run import ask_gate_about

                ask_gate_about(known, terms, earlier, [secret])
            source = None if seed is None else Seeded(seed)
            publication = publish_under(terms, known, secret, after=history, source=source)
            paths.save_publication(publication, output, to or (), replacing=force)
            if not as_json:
                outsiders = _outsiders(known, secret, terms, earlier)
    if for_readers:
        coded = table is not None
        write_reader_lines(
            output,
            reader_lines(Path(output.name), publication, sealed=bool(to), coded=coded),
            replacing=force,
        )
    if as_json:
        print_json(result(ReleaseResult, publication, file=output, ledger=recorded))
        return
    show_lines(
        [
            (
                "written",
                _written(output, recorded, for_readers=for_readers)
                + (f"; outsiders {seen_encrypted(publication)}" if to else ""),
            ),
            *reading_lines(
                Verdict.of(publication, coded=table is not None, encrypted=bool(to)),
                " --groups GROUPS" if terms.grouping is not None else "",
                outsiders,
                sealed=bool(to),
                alone=together and publication.series is None,
            ),
        ]
    )
    warn_unsafe(publication)
    given = [("--column", column), ("--codes", codes), ("--groups", groups)]
    given += [("--ledger", ledger and ("DB" if "://" in ledger else ledger)), ("--key", key)]
    given += [("--after", file) for file in after or ()]
    more = [str(word) for name, value in given if value for word in (name, value)]
    command = shlex.join(["pathveil", "inspect", *map(str, (output, network, walk)), *more])
    if notes or screen.is_terminal:
        if use is not None:
            earlier, together = paths.other_publications(
                use, known, publication, encrypted=bool(to)
            )
        found = DrawFindings.of(
            publication, known, secret, earlier, together=together, public=not to
        )
        show_lines([("this file", found.brief)], on=screen, style=found.style)
    elif not to:
        say_aside(f"Before you send it: {command}", typed=True)
    else:
        say_aside(
            f"If a key of --to is yours, before you send it: {command} --identity KEY. If not, "
            "nobody here can look into it any more; never draw again, and next time add --notes.",
            typed=True,
        )


def require_public_series(
    terms: ReleaseTerms, earlier: Sequence[Publication], *, sealed: bool
) -> None:
    """Raise if a series would be public in part, or if nobody could know."""
    if earlier and terms.remembers and sealed:
        raise Incompatible(
            "--after goes with public files alone: later rates follow earlier bits, so a series is "
            "all public or all encrypted, and only a ledger knows which; publish it with --ledger"
        )


def _outsiders(
    network: Network, walk: Walk, terms: ReleaseTerms, earlier: Sequence[Publication]
) -> str:
    """Return what outsiders get: the cover used if there are earlier files, else what fits."""
    from pathveil.batching.batch_run import counted_lives
    from pathveil.checking.judging import MOST_COUNTED, cover_alone, readable_words
    from pathveil.planning.gate import fitting_walks

    if earlier:
        life, new = counted_lives(network, terms, earlier, [walk])
        return cover_words(life.and_then(*new))
    pairs, used = None if terms.universe is None else terms.universe.count, None
    if terms.grouping is None:
        used = cover_alone(network, walk, terms.policy, pairs)
    if alone := readable_words(used):
        return alone
    if terms.grouping or terms.universe or len(network) > MOST_COUNTED:
        return f"{SEEN}; earlier releases not counted (see --ledger)"
    many = fitting_walks(network, walk, terms.policy)
    seen = named_words(used, len(network.links)) if used and used.named is not None else SEEN
    if many == 1:
        return f"{seen}; no room for a second walk"
    return f"{seen}; room for up to {counted(many - 1, 'more walk')}"


def _release_through(
    use: paths.LedgerUse,
    network: Network,
    wanted: tuple[Walk, Path],
    terms: ReleaseTerms,
    recipients: Sequence[str],
    *,
    replacing: bool,
) -> tuple[Recorded, Publication, str, bool]:
    """Return a walk as recorded and written, the cover used, whether others are public too."""
    with paths.opened_ledger(use.database, use.key) as book:
        from pathveil.ledger.release_walks import publication_of, release_walks

        (recorded,) = release_walks(
            book, network, [wanted], terms, use.delivery(recipients, replacing=replacing)
        )
        past = book.past(network)
        life = past.life()
        outsiders = cover_words(past.life(encrypted=bool(recipients)))
        before = [
            earlier.row.counter
            for earlier, release in zip(past.public, life.releases, strict=True)
            if wanted[0] in release.walks and earlier.row.counter != recorded.counter
        ]
        if before and not (recipients or recorded.replayed):
            say_aside(
                f"this walk was already released as entry {before[-1]}, under other terms or over "
                "another version of the network; both count"
            )
        if recipients and any(wanted[0] in release.walks for release in life.releases):
            say_aside(
                "outsiders have this walk if you sent its earlier release, which is public in this "
                "ledger"
            )
    publication = publication_of(recorded, terms.grouping)
    seen = past.releases if recipients else past.public
    others = any(release.row.counter != recorded.counter for release in seen)
    return recorded, publication, outsiders, others


def _written(output: Path, recorded: Recorded | None, *, for_readers: bool) -> str:
    """Return what was written, and what a ledger recorded."""
    said = f"{output}, {paths.size_text(output)}"
    said += f", and {readers_file(output).name}" if for_readers else ""
    if recorded is None:
        return said
    said += f"; entry {recorded.counter}"
    if recorded.replayed:
        return f"{said}, the same file again; all who have it see that"
    if recorded.budget is None:
        return said
    return f"{said}, loss {float(recorded.spent):.2f} of {float(recorded.budget):g}"


def require_ledger_alone(after: Sequence[Path] | None) -> None:
    """Raise if a ledger is given together with earlier files, which it would not count."""
    if after:
        raise typer.BadParameter(
            "--ledger counts the releases that it recorded, and no others: leave --after out. For "
            "files from before the ledger, publish without it, with each of them as --after"
        )


def _require_for_ledger(*, seed: int | None, after: Sequence[Path] | None, output: Path) -> None:
    """Raise where an option does not go with a ledger."""
    if seed is not None:
        raise typer.BadParameter("--ledger keeps real releases; one with a seed protects nothing")
    require_ledger_alone(after)
    if output == paths.STANDARD:
        raise typer.BadParameter("--ledger hands out files; give -o a file's name")


def seen_encrypted(publication: Publication | None) -> str:
    """Return what outsiders do with an encrypted file: tags say how many keys, of SSH keys which.

    :mod:`pathveil.files.envelopes` says what they can tell from the size.
    """
    drawn = publication is not None and (
        publication.follows_walk or publication.policy.name == Paper.name
    )
    return f"see {'a walk-dependent' if drawn else 'its'} size and key tags"


SEEN = "see links among chaff"
"""What outsiders get, under every policy."""


INSIDER = "lacking one link of the walk"
"""Of someone who knows all else."""


def reading_lines(
    words: Verdict,
    more: str = "",
    outsiders: str | None = None,
    *,
    sealed: bool = False,
    alone: bool = False,
) -> list[tuple[str, str]]:
    """Return who reads a publication, what others learn and what is public, as labelled lines.

    Parameters
    ----------
    more
        Options that its readers need.
    outsiders
        What someone with all files names, and how much cover is used; None: not asked. Of an
        encrypted file that is someone with a key but no network.
    sealed
        Whether the file is encrypted to its readers.
    alone
        Whether other files are public too, which the chances of this one leave out.
    """
    does, public, by = " reads all", "public", ""
    if sealed:
        does, public = "", "inside"
        more = f"{more} --identity KEY"
    guess, own = words.lacks_one_link, f"{words.partners} reads which the walk uses: add --as NAME"
    if alone and guess is not None:
        guess, by = replace(guess, before=0), "by this file, "
    who = "key only" if sealed else "outsiders"
    return [
        ("readers", f"{words.readers}{does}: reconstruct FILE NETWORK{more}"),
        *([("", own)] if words.partners else []),
        *([(who, outsiders)] if outsiders or (outsiders is not None and not sealed) else []),
        *([("insider", f"{by}{INSIDER} {guess}")] if guess is not None else []),
        (public, words.public),
    ]


def cover_words(life: Life) -> str:
    """Return what outsiders get who have all these files, and what still fits."""
    from pathveil.checking.judging import MOST_COUNTED
    from pathveil.planning.cover import cover
    from pathveil.planning.gate import more_walks

    last = life.releases[-1].network
    more = more_walks(life) if len(last) <= MOST_COUNTED else (0, 0)
    return outsider_words(cover(life), len(last.links), more)


def outsider_words(cover: Cover, links: int, more: tuple[int, int] = (0, 0)) -> str:
    """Return what outsiders get: the walks, or links of the network; and the cover used."""
    used = used_words(cover, more)
    if cover.share >= 1:
        return f"may read the {'walk' if cover.walks == 1 else 'walks'}: {used}"
    return used if cover.named is None else f"{named_words(cover, links)}; {used}"


def named_words(cover: Cover, links: int) -> str:
    """Return how many links of the network outsiders name."""
    return f"guess {cover.named:,.0f}+ of {counted(links, 'network link')}"


def used_words(cover: Cover, more: tuple[int, int]) -> str:
    """Return how much cover is used, and about how many more walks of how many links fit."""
    walks, length = more
    if cover.by == "classes":
        return f"{cover.used}; over a grouping it does not grow with walks"
    if not length:
        return cover.used
    return f"{cover.used}; {f'about {walks:,} more fit' if walks else 'likely full'}"


def reader_lines(
    output: Path, publication: Publication, *, sealed: bool = False, coded: bool = False
) -> list[str]:
    """Return the lines to send along with a file: install, commands, what a reader needs."""
    more, needs = "", []
    if publication.grouped is not None:
        more, needs = " --groups groups.json", ["groups.json"]
    if sealed:
        more, needs = f"{more} --identity YOUR-KEY", [*needs, "your secret key"]
    wheel = "'PATHVEIL.whl[envelopes]'" if sealed else "PATHVEIL.whl"
    read = f"pathveil reconstruct {shlex.quote(str(output))}"
    whole, every = f"{read} network.csv{more}", ["network.csv, the whole network"]
    own = ""
    row = 'YOUR NAME,NEIGHBOUR (a name with a comma in double quotes: "A, B",C)'
    links = [f"links.csv, one of your links on each line: {row}"]
    if coded:
        whole, own = f"{whole} --codes codes.csv", " --codes links.codes.csv"
        every += ["codes.csv, for those who may know all names"]
        links += ["links.codes.csv, your rows of the codes (the sender: network part)"]
    part = [
        f'Read your own places: {read} links.csv --as "YOUR NAME"{more}{own}',
        f"    You need: {'; '.join([*links, *needs])}.",
    ]
    return [
        f"{output} shows a walk through a network among fake links.",
        f"Install: pip install {wheel} (Python 3.11 or newer; the sender has the file)",
        *([] if publication.policy.noisy else part),  # read by likelihood, with the whole network
        f"Read the whole walk: {whole}",
        f"    You need: {'; '.join([*every, *needs])}.",
    ]


def readers_file(output: Path) -> Path:
    """Return where the lines for readers of a file go."""
    return output.with_name(f"{output.name}.readers.txt")


def write_reader_lines(output: Path, lines: Sequence[str], *, replacing: bool) -> Path:
    """Write the lines for readers beside a file, and return where they are."""
    target = readers_file(output)
    try:
        write_aside(target, "\n".join(lines) + "\n", replacing=replacing)
    except (BadFile, OSError) as error:
        raise BadFile(
            f"{error}. {output} is written, and whole; do not publish it again: send a note of "
            "your own along"
        ) from None
    return target
