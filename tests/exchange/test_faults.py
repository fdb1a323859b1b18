from __future__ import annotations

import pytest

from pathveil.exchange.meeting import ExchangeFault, Fault

NAMES = ("ann", "bob", "cem")
SAID = {
    Fault.INCONSISTENT: "the statuses the parties put in do not form one walk: somebody misread or "
    "misstated its links, a vertex has no party, or the walk is longer than agreed; nothing else "
    "was opened. Let each party check its file and its rows, then run again",
    Fault.OTHER_FILE: "party 'bob' holds another publication; compare the files' digests, then run "
    "again",
    Fault.OTHER_ROSTER: "party 'bob' has other cards of the parties; exchange the cards, then run "
    "again",
    Fault.OTHER_TERMS: "party 'bob' was started with other terms (what is learnt, the length, the "
    "longest walk); agree on them, then run again",
    Fault.ABSENT: "party 'bob' did not connect within the time limit; see that it runs, and that "
    "its address is right and can be reached",
    Fault.LATE: "party 'bob' did not answer within the time limit; nothing was learnt here; run "
    "again",
    Fault.GONE: "party 'bob' went away before the end; nothing was learnt here; run again",
    Fault.RUBBISH: "party 'bob' sent something that is no message of this protocol; nothing was "
    "learnt here; see that all run the same version",
    Fault.SHARES: "the opened shares contradict each other: a party computes wrongly or cheats; "
    "nothing was learnt here",
    Fault.STOPPED: "party 'bob' was stopped before the end; nothing was learnt here; run again",
}


@pytest.mark.parametrize("fault", list(Fault))
def test_each_reason_has_its_sentence(fault: Fault) -> None:
    """The whole list that may be shown to anybody: none says more than a party's name."""
    assert ExchangeFault(fault, 1).text(NAMES) == SAID[fault]
    assert str(ExchangeFault(fault, 1)) == fault.name, "in a log, too"


@pytest.mark.parametrize("party", [None, -1, 3, 254])
def test_a_number_that_is_no_party_names_none(party: int | None) -> None:
    assert ExchangeFault(Fault.GONE, party).text(NAMES).startswith("a party went away")


def test_reasons_travel_as_the_same_byte_in_every_version() -> None:
    assert [fault.value for fault in Fault] == list(range(1, 11))
    assert [fault.name for fault in Fault][:3] == ["INCONSISTENT", "OTHER_FILE", "OTHER_ROSTER"]
    assert (Fault.GONE, Fault.STOPPED) == (7, 10)
