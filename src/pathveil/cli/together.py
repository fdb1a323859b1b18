"""The command for several walks in one release: coins thrown together, a file for each walk."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from pathveil.cli.console import console, facts, print_certificate, print_json
from pathveil.cli.network_options import NetworkReader, reads_network
from pathveil.cli.options import TOLD, AsJson, DirectionOption, NetworkFile, direction_named
from pathveil.cli.outputs import STANDARD
from pathveil.cli.policy_options import takes_policy
from pathveil.cli.results import together_data
from pathveil.errors import BadFile
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk
from pathveil.policies import Policy


@takes_policy
@reads_network
def publish_jointly(
    network: NetworkFile,
    walks: Annotated[
        Path,
        typer.Argument(metavar="WALKS", help="One walk a line, no two share a link. Secret."),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="A new folder for the files.")
    ],
    *,
    policy: Policy,
    reader: NetworkReader,
    direction: DirectionOption = TOLD,
    as_json: AsJson = False,
) -> None:
    """Publish walks that share no link in one release, cheaper than one after another.

    With T walks, fair coins and one copy of each vertex every link costs ln(T + 1), not T ln 2.
    That they share no link is public. Each file is read back by itself; hand out all or some.
    """
    if output == STANDARD or output.exists():
        raise typer.BadParameter(
            f"-o {output}: expected the name of a new folder; a release handed out is not replaced"
        )
    from pathveil import publish_together

    known = reader.network(network)
    secrets = list(_walks_in(walks, known))
    told_by = direction_named(direction)
    releases = publish_together(known, secrets, policy=policy, direction=told_by)
    names = [f"{number:06d}.veil.json" for number in range(1, len(releases) + 1)]
    _write_all(output, dict(zip(names, releases, strict=True)))
    if as_json:
        print_json(together_data(releases, output, names))
        return
    rows = [("written", f"{output}: {len(releases)} files"), ("policy", str(releases[0].policy))]
    console.print(facts(rows))
    print_certificate(releases[0])


def _write_all(output: Path, files: dict[str, Publication]) -> None:
    """Write a folder that is there with all files of the release or not at all."""
    try:
        aside = Path(tempfile.mkdtemp(dir=output.parent, prefix=f".{output.name}."))
        try:
            for name, publication in files.items():
                publication.save(aside / name)
            aside.chmod(0o755)
            aside.rename(output)
        except BaseException:
            shutil.rmtree(aside, ignore_errors=True)
            raise
    except OSError as error:
        raise BadFile(
            f"{output}: cannot be written ({error.strerror or error}); choose another place"
        ) from None


def _walks_in(file: Path, network: Network) -> Iterator[Walk]:
    """Yield the walks of a file; raise at the first line that holds none."""
    from pathveil.batching.batch_run import Failure, read_walks, walk_on
    from pathveil.errors import NotAWalk

    for line, text in read_walks(file):
        found = walk_on(line, text, network)
        if isinstance(found, Failure):
            raise NotAWalk(f"{file}, {found.message}")
        yield found
