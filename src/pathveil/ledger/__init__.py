"""What has been released before, and what it has cost: a memory that no crash can lose.

Read :mod:`~pathveil.ledger.ledger` first, then ``release_walks``, which publishes through it.
``keys`` is the only module that seals a vertex name; ``ledger_tables`` and ``store`` are the
database; ``chain`` numbers the entries and notices a ledger older than the files beside it;
``past`` is what was released over one network; ``pricing`` says what a release costs each link and
adds that up; ``record`` enters releases; ``ledger_check`` computes everything again.
"""
