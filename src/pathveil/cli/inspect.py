"""Commands for anyone who has the file: inspect and draw. They need no secret and tell none."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.padding import Padding

from pathveil.checking.certificate_check import is_earned, require_earned, require_possible_bits
from pathveil.cli import options, paths
from pathveil.cli.console import (
    SturdyTable,
    busy,
    console,
    notes,
    print_json,
    print_picture,
    say,
    say_aside,
    show_lines,
    table,
    warn_unsafe,
)
from pathveil.cli.publish import (
    reader_lines,
    readers_file,
    reading_lines,
    seen_encrypted,
    write_reader_lines,
)
from pathveil.cli.results import ConversionResult, InspectionResult, result
from pathveil.errors import BadBudget, BadPublication, DoesNotFit, PathveilError
from pathveil.files.atomic_write import write_aside
from pathveil.files.codes import Codes, codes_hint, seem_codes
from pathveil.model.network import Network
from pathveil.model.publication import Publication, Verdict
from pathveil.model.series import keeps_its_digest, require_unchanged
from pathveil.model.walk import Walk
from pathveil.policies import Policy
from pathveil.wording import shown_text

if TYPE_CHECKING:
    from pathveil.checking.judging import DrawFindings

PICTURE_LIMIT = 12
"""Copies of vertices up to which a text picture helps rather than hinders."""


def inspect(
    file: options.PublicationFile,
    network: Annotated[
        Path | None, options.argument("[NETWORK]", "For the custodian: say what this draw did,")
    ] = None,
    walk: Annotated[
        Path | None,
        options.argument("[WALK]", "to this walk, or to the one it reads. For your eyes only."),
    ] = None,
    *,
    certificate: Annotated[
        bool, options.option("--certificate", None, "Show every row of the certificate.")
    ] = False,
    output: Annotated[
        Path | None,
        options.output(
            "OTHER", "Write the same publication again: *.veil is compact, *.veil.json readable."
        ),
    ] = None,
    to: options.Recipients = None,
    for_readers: options.ForReaders = False,
    identity: options.Identity = None,
    column: options.Column = None,
    codes: options.CodesFile = None,
    groups: options.GroupsFile = None,
    after: options.AfterFiles = None,
    ledger: Annotated[
        str | None,
        options.option(
            "--ledger",
            "DB",
            "Judge it with all public files of this ledger; an encrypted one with all files.",
            options.SEVERAL,
        ),
    ] = None,
    key: options.KeyFile = None,
    force: options.Force = False,
    trust: options.Trust = False,
    as_json: options.AsJson = False,
) -> None:
    """Show who can read a publication, what others learn and what is public.

    With NETWORK (and WALK) it says on standard error what this draw did, and whether to send it;
    with --ledger or --after also what all files together do. With -o it says nothing of this: the
    same publication, with the same coins, is written in another form: compact, readable, or
    encrypted to readers.

    Examples
    --------
    pathveil inspect route.veil.json --certificate
    pathveil inspect route.veil.json -o route.veil.age --to age1...
    """
    publication = paths.open_publication(file, identity, groups=groups, trust=trust)
    if output is not None:
        if for_readers:
            paths.claim_output(readers_file(output), inputs=[file], force=force)
        _write_again(publication, file, output, to or (), force=force, as_json=as_json)
        if for_readers:
            in_codes = publication.lists_vertices and seem_codes(publication.vertices)
            sent = reader_lines(Path(output.name), publication, sealed=bool(to), coded=in_codes)
            say(f"send also {write_reader_lines(output, sent, replacing=force)}")
        return
    if to or for_readers:
        raise typer.BadParameter(
            "--to and --for-readers go with what is written: give -o OTHER.age"
        )
    use = paths.LedgerUse.of(ledger, key=key)
    if use is not None and after:
        raise typer.BadParameter("--ledger knows the other files itself; leave --after out")
    if use is not None:
        paths.require_recorded(use, file, identity)
    if network is not None:
        from pathveil.checking.judging import DrawFindings
        from pathveil.reading.assemble import reconstruct

        table = paths.codes_read(codes)
        if walk is not None:
            known, secret = paths.open_both(network, walk, column=column, codes=table)
        elif publication.policy.noisy:
            raise typer.BadParameter("WALK: is missing; a file with noise does not say it for sure")
        else:
            known = paths.open_network(network, codes=table)
            secret = reconstruct(publication, known).walk
        _require_of_file(publication, file, known, secret, table)
        earlier = [
            one
            for one in paths.load_publications(after, identity=identity)
            if Path(str(one.where)).resolve() != file.resolve()
        ]
        together, sealed = bool(earlier) or publication.salt is not None, file.suffix == ".age"
        if use is not None:
            earlier, together = paths.other_publications(use, known, publication, encrypted=sealed)
        found = DrawFindings.of(
            publication,
            known,
            secret,
            earlier,
            together=together,
            public=not sealed,
            coded=table is not None,
        )
        names = set(publication.vertices)
        if (use is not None and not earlier) or any(set(one.vertices) != names for one in earlier):
            others = "files over other versions of the network are not judged together: encrypt it"
        elif not (use or after):
            others = "give --ledger DB, or --after FILE for each"
        elif max(publication.positions.counts) > 1:
            others = "files with copies are not judged together"
        else:
            coded = "" if codes is None else f" --codes {shlex.quote(str(codes))}"
            others = f"ask about a link: pathveil attack FILE... {network} --lacking U V{coded}"
        _tell_custodian(found, file, table, others)
        if not as_json:
            return
    if as_json:
        print_json(_facts(publication, file))
        return
    _show(publication, file, alone=bool(use or after) and publication.series is None)
    if certificate:
        print_certificate(publication)
    else:
        console.print("All of the certificate: inspect FILE --certificate", style="dim")
    warn_unearned(publication)
    warn_unsafe(publication)


def _require_of_file(
    publication: Publication, file: Path, network: Network, walk: Walk, table: Codes | None
) -> None:
    """Raise unless the file is a publication of this walk over this network."""
    from pathveil.checking.verification import require_reads_back

    try:
        require_reads_back(publication, network, walk)
        require_possible_bits(publication, network)
    except PathveilError as error:
        plain = publication.lists_vertices and publication.grouped is None
        hint = codes_hint(publication.vertices, table) if plain else ""
        raise DoesNotFit(
            f"{file}: is no publication of this walk over this network: {error}{hint}"
        ) from None


def _tell_custodian(found: DrawFindings, file: Path, table: Codes | None, others: str) -> None:
    """Say whether to send it, and what this draw of the coins did to this walk."""
    ends, begins = found.told or ((), ())
    after = {"this file": found.certain, "told end": sorted({*ends, *begins})}
    rows = []
    for head, words in found.rows(others):
        links = after.get(head, ())
        named = [" - ".join(link if table is None else table.decode(link)) for link in links]
        rows += [(head, words), *(("", name) for name in named)]
    show_lines(rows, on=notes, style=found.style)
    if found.certain and found.public:
        name = file.name.removesuffix(".json").removesuffix(".veil")
        command = ["inspect", str(file), "-o", str(file.with_name(f"{name}.veil.age"))]
        say_aside(f"Encrypt it to its readers: pathveil {shlex.join(command)} --to KEY", typed=True)


def _write_again(
    publication: Publication,
    file: Path,
    output: Path,
    recipients: Sequence[str],
    *,
    force: bool,
    as_json: bool,
) -> None:
    """Write the same publication under another name; no coin is thrown."""
    paths.claim_output(output, inputs=[file], force=force)
    if as_json and output == paths.STANDARD:
        raise typer.BadParameter("--json and -o - both want standard output; give -o a file's name")
    paths.save_publication(publication, output, recipients, replacing=force)
    if as_json:
        sizes = {"bytes": paths.file_size(output), "bytes_before": paths.file_size(file)}
        print_json(result(ConversionResult, file=output, **sizes))
        return
    sealed = ", encrypted to its readers" if recipients else ""
    say(f"written {output}: {paths.size_text(output)}{sealed}; the same coins as {file}")
    if file.suffix == ".age" and not recipients:
        say("Everyone who gets it can read it now, and no ledger counts it as public.")
    warn_unsafe(publication)


def _show(publication: Publication, file: Path, *, alone: bool) -> None:
    """Print who reads a publication, what is public, how it is made; its picture if it is small."""
    small = publication.lists_vertices and len(publication.positions) <= PICTURE_LIMIT
    coded = publication.lists_vertices and seem_codes(publication.vertices)
    sealed, series = file.suffix == ".age", publication.series
    words = Verdict.of(publication, coded=coded, encrypted=sealed)
    rows = reading_lines(words, sealed=sealed, alone=alone)
    rows += [("outsiders", seen_encrypted(publication))] if sealed else []
    rows.append(("policy", str(publication.policy)))
    if series is not None:
        before = "" if series.before is None else f", after {series.before[:12]}"
        rows.append(("series", f"release {series.place}{before}; digest {series.release[:12]}"))
    show_lines([*rows, ("size", paths.size_text(file))])
    if small:
        print_picture(publication)


def _facts(publication: Publication, file: Path) -> dict[str, Any]:
    """Return what a publication says of itself, as plain data."""
    sketch = publication.sketch
    listed = len(publication.vertices) if sketch is None else None
    return result(
        InspectionResult,
        publication,
        bytes=paths.file_size(file),
        vertices=listed if publication.grouped is None else None,
        classes=None if publication.grouped is None else listed,
        capacity=None if sketch is None else sketch.capacity,
        certificate_earned=is_earned(publication),
        digest_kept=keeps_its_digest(publication),
    )


def draw(
    file: Annotated[Path, options.argument("FILE", "A publication, or a network.")],
    output: Annotated[
        Path, options.output("PICTURE", "*.svg or *.png; a publication also *.dot, *.tex or *.txt.")
    ],
    *,
    walk: Annotated[
        Path | None, options.option("--walk", "WALK", "The walk to draw on a network.")
    ] = None,
    story: Annotated[
        bool,
        options.option(
            "--story", None, "FILE is a small network: what you have, publish, and others see."
        ),
    ] = False,
    column: options.Column = None,
    identity: options.Identity = None,
    force: options.Force = False,
) -> None:
    """Draw a publication, a network with its walk, or the whole story.

    What shows the network is readable by its owner alone (mode 0600).

    Examples
    --------
    pathveil draw route.veil.json -o route.svg
    pathveil draw network.csv --story --walk walk.txt -o story.svg
    """
    from pathveil.drawing.pictures import KINDS, NETWORK_KINDS, png_of, resvg
    from pathveil.drawing.pictures import draw as picture_of

    released = paths.is_publication(file) or file == paths.STANDARD
    if story and walk is None:
        raise typer.BadParameter("--story tells of a walk through the network; give it by --walk")
    if released and walk is not None:
        raise typer.BadParameter(
            f"{file}: is a publication, which never shows its walk; --walk goes with a network"
        )
    kinds = KINDS if released else NETWORK_KINDS
    kind = "svg" if output == paths.STANDARD else output.suffix.removeprefix(".")
    if kind not in kinds:
        raise typer.BadParameter(
            f"-o {output}: {'a publication' if released else 'a network'} is drawn as "
            + ", ".join(f"*.{name}" for name in kinds)
        )
    if kind == "png":
        resvg()
    paths.claim_output(output, inputs=[file, walk], force=force)
    if released:
        shown = paths.open_publication(file, identity)
        with busy("drawing layers"):
            made = picture_of(shown, kind="svg" if kind == "png" else kind)
    else:
        if walk is None:
            known, secret = paths.open_network(file), None
        else:
            known, secret = paths.open_both(file, walk, column=column)
        if story and secret is not None:
            from pathveil.drawing.story import require_small, story_svg
            from pathveil.publishing.release import publish

            require_small(known)
            made = story_svg(known, secret, publish(known, secret))  # coins for the picture alone
        else:
            made = picture_of(known, walk=secret)
    content: str | bytes = made
    if kind == "png":  # a large one in a process of its own, which Ctrl-C ends
        from pathveil.batching.worker_pool import run_all

        (content,) = run_all(png_of, [made], workers=2 if len(made) > _LARGE_PICTURE else 1)
    write_aside(output, content, private=not released, replacing=force)
    secret_note = "" if released else "; it shows your network: keep it to yourself"
    say(f"written {output}{secret_note}")


_LARGE_PICTURE = 20_000
"""Characters of an SVG whose dots take longer than starting a process."""


def certificate_table(publication: Publication) -> SturdyTable:
    """Return the certificate as a person reads it: who gains how much, in which direction."""
    claims = _paper_claims(publication)
    heads = ["someone who lacks", "link is there", "link is not", "notion"]
    rows = []
    for row, claim in zip(publication.certificate.rows, claims, strict=True):
        cells = [str(row.adversary), str(row.presence), str(row.absence), row.notion]
        rows.append([escape(cell) for cell in (*cells, *([claim] if any(claims) else []))])
    heads += ["the paper claims"] if any(claims) else []
    return table("Certificate: the largest loss, by what someone lacks", heads, rows)


def identification_table(publication: Publication) -> SturdyTable:
    """Return how often a missing walk link is told from the other links that could be it."""
    title = "How often can someone who lacks one link of the walk name it?"
    numbers = ("before", "after", "certain")
    rows = [
        (escape(str(row)), *map(_percent, (row.before, row.after, row.certain)))
        for row in publication.certificate.identification
    ]
    return table(title, ("it is", *numbers), rows, numbers=numbers)


def _percent(decimal: str) -> str:
    """Return a chance as a person reads it; the file has it exactly, and no figure crashes us."""
    try:
        return f"{float(decimal):.1%}"
    except (ValueError, OverflowError):
        return escape(decimal)


def _paper_claims(publication: Publication) -> list[str]:
    """Return what the paper claims of each row; nothing where the policy is not known here."""
    rows = publication.certificate.rows
    try:
        kind = Policy.from_terms(publication.policy).kind
    except BadBudget:
        return [""] * len(rows)
    return [kind.paper_claim(row) for row in rows]


def print_certificate(publication: Publication) -> None:
    """Print the certificate, and under it what it does not say."""
    console.print(certificate_table(publication))
    if publication.certificate.identification:
        console.print(identification_table(publication))
    if publication.certificate.not_protected:
        console.print("What this does not protect:")
    for line in publication.certificate.not_protected:
        console.print(Padding(escape(shown_text(f"• {line}")), (0, 0, 0, 2)))


def warn_unearned(publication: Publication) -> None:
    """Say aloud that a file contradicts itself: a certificate not earned, a digest not its own."""
    for check, said in ((require_earned, "not earned"), (require_unchanged, "changed")):
        try:
            check(publication)
        except BadPublication as error:
            console.print(f"[bold red]{said}[/]: {escape(shown_text(str(error)))}")
