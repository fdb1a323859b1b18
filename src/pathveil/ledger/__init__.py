"""What has been released before, and what it has cost: a memory that no crash can lose.

Read :mod:`~pathveil.ledger.book` first. ``keys`` is the only place that sees a vertex name, and
what leaves it is keyed; ``tables`` and ``store`` are the database; ``foundation`` begins and opens
it with its key; ``replays`` finds what answers a request without a charge, ``recording`` enters
what does not, ``side_notes`` where it went and what was refused; ``accounts`` adds up what each
link has run up; ``marks`` notices a ledger older than the files beside it; ``checking`` reads
everything again and says whether it still adds up (``recount``, ``plain_columns``).
"""
