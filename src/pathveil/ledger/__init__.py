"""What has been released before, and what it has cost: a memory that no crash can lose.

Read :mod:`~pathveil.ledger.ledger` first, then ``release_walks``, which publishes through it.
``keys`` is the only module that sees a vertex name, and what leaves it is keyed; ``tables`` and
``store`` are the database; ``chain`` numbers the entries and notices a ledger older than the files
beside it; ``network_lineage`` knows a network again after it has changed; ``accounts`` adds up what
each link has run up, at the prices of ``pricing``; ``record`` enters releases, ``delivery_log``
where they went; ``views`` shows them; ``ledger_check`` and ``file_check`` compute everything again.
"""
