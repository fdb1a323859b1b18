"""release_batch(): a file of walks, each released through a ledger to a file of its own."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from pathveil.batching.batch_output import (
    clear_left_over,
    custodians_lists,
    make_folder,
    release_name,
    require_lists_kept,
    require_no_others,
    write_lists,
)
from pathveil.batching.batch_run import (
    BatchReport,
    Failure,
    Walks,
    repeated_lines,
    require_copies_for_all,
    walks_on,
)
from pathveil.errors import BadFile
from pathveil.files.publications.any_publication import COMPACT
from pathveil.ledger.entries import Delivery, Recorded
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.release_walks import publication_of, release_walks
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.publishing.terms import ReleaseTerms


def release_batch(
    ledger: Ledger,
    network: Network,
    walks: Walks,
    folder: str | Path,
    terms: ReleaseTerms | None = None,
    *,
    delivery: Delivery | None = None,
) -> tuple[BatchReport, tuple[Recorded, ...]]:
    """Return what became of a file of walks, each released through the ledger to one file.

    A line that holds no walk is reported and left out; the others are recorded together, all or
    none. Killed and started again, it hands out what was recorded and charges nothing. Parameters
    are those of :func:`~pathveil.ledger.release_walks.release_walks`. Files are numbered one after
    another, so that no gap tells of a walk that failed. A walk that is on two lines is released
    once and given back the second time.
    """
    target = Path(folder)
    terms, delivery = terms or ReleaseTerms(), delivery or Delivery()
    if target.suffix:
        raise BadFile(
            f"{target}: with a ledger each walk goes to a file of its own; give a folder's name "
            "without a suffix"
        )
    suffix = ".veil.json" if terms.form == "packed" else COMPACT
    suffix += "" if delivery.public else ".age"
    parsed = walks_on(walks, network)
    require_copies_for_all(parsed, terms)
    failures = [found for found in parsed.values() if isinstance(found, Failure)]
    good = {line: walk for line, walk in parsed.items() if isinstance(walk, Walk)}
    wanted = [
        (walk, target / release_name(number, suffix))
        for number, walk in enumerate(good.values(), start=1)
    ]
    listed = [(failure.line, failure.message) for failure in failures]
    lists = custodians_lists(target, list(good), listed, parsed.names)
    files = [*lists, *(path for _, path in wanted)]
    require_no_others(target, files, replacing=delivery.replacing)
    if not delivery.replacing:
        require_lists_kept(lists)
    clear_left_over(target)
    recorded: tuple[Recorded, ...] = ()
    if wanted:
        fresh = not target.exists()
        make_folder(target)
        try:
            recorded = release_walks(ledger, network, wanted, terms, delivery)
        except BaseException:
            if fresh:
                with suppress(OSError):  # unless something is in it
                    target.rmdir()
            raise
    write_lists(target, lists, replacing=delivery.replacing)
    resumed = sum(release.replayed for release in recorded)
    again = repeated_lines(parsed)
    last = publication_of(recorded[-1], terms.grouping) if recorded else None
    report = BatchReport(target, len(recorded), resumed, tuple(failures), repeated=again, last=last)
    return report, recorded
