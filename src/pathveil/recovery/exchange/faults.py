"""Why an exchange stops: a short list that may be shown to anybody, and nothing besides.

A reason travels to the other parties as one byte and the number of a party. It never depends on a
status, a position or a share, except :attr:`Fault.INCONSISTENT`, which says one bit: the statuses
that were put in are not those of one walk. It does not say whose.
"""

from __future__ import annotations

from enum import IntEnum


class Fault(IntEnum):
    """The reasons, as they travel."""

    INCONSISTENT = 1
    OTHER_FILE = 2
    OTHER_ROSTER = 3
    OTHER_TERMS = 4
    ABSENT = 5
    LATE = 6
    GONE = 7
    RUBBISH = 8
    SHARES = 9
    STOPPED = 10


_TEXTS = {
    Fault.INCONSISTENT: (
        "the statuses the parties put in do not form one walk: somebody misread or misstated its "
        "links, a vertex has no party, or the walk is longer than agreed; nothing else was opened. "
        "Let each party check its file and its rows, then run again"
    ),
    Fault.OTHER_FILE: "{who} holds another publication; compare the files' digests, then run again",
    Fault.OTHER_ROSTER: "{who} has other cards of the parties; exchange the cards, then run again",
    Fault.OTHER_TERMS: (
        "{who} was started with other terms (what is learnt, the length, the longest walk); agree "
        "on them, then run again"
    ),
    Fault.ABSENT: (
        "{who} did not connect within the time limit; see that it runs, and that its address is "
        "right and can be reached"
    ),
    Fault.LATE: "{who} did not answer within the time limit; nothing was learnt here; run again",
    Fault.GONE: "{who} went away before the end; nothing was learnt here; run again",
    Fault.RUBBISH: (
        "{who} sent something that is no message of this protocol; nothing was learnt here; see "
        "that all run the same version"
    ),
    Fault.SHARES: (
        "the opened shares contradict each other: a party computes wrongly or cheats; nothing was "
        "learnt here"
    ),
    Fault.STOPPED: "{who} was stopped before the end; nothing was learnt here; run again",
}


class ExchangeFault(Exception):
    """A reason to stop, inside the exchange; becomes an :class:`ExchangeFailed` for the user."""

    def __init__(self, fault: Fault, party: int | None = None) -> None:
        super().__init__(fault.name)
        self.fault = fault
        self.party = party

    def text(self, names: tuple[str, ...]) -> str:
        """Return the sentence for the user; it names a party at most.

        >>> ExchangeFault(Fault.GONE, 1).text(("ann", "bob", "cem"))
        "party 'bob' went away before the end; nothing was learnt here; run again"
        """
        known = self.party is not None and 0 <= self.party < len(names)
        who = f"party {names[self.party or 0]!r}" if known else "a party"
        return _TEXTS[self.fault].format(who=who)
