"""Files handed out before a sentence was put better are as good as ever; edited ones are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pathveil import Network, Policy, Publication, Seeded, Walk, publish
from pathveil.apps.cli import run
from pathveil.chance.former_words import FORMER, in_todays_words
from pathveil.earning import certificate_today, is_earned
from pathveil.errors import FalseCertificate
from pathveil.formats.publications import publication_content
from pathveil.verifying import verify_publication
from pathveil.verifying_series import verify_promise

FOLDER = Path(__file__).parents[1] / "data" / "former-words"
FILES = sorted(path.name for path in FOLDER.iterdir())


@pytest.mark.parametrize("name", FILES)
def test_a_file_in_former_words_is_read_verified_and_shown_in_todays(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = FOLDER / name
    publication = Publication.load(path)
    carried = publication.certificate.not_protected
    assert set(carried) & {*FORMER.values()}
    assert is_earned(publication)
    findings = [*verify_publication(publication), *verify_promise(publication)]
    assert all(finding.holds for finding in findings)
    today = certificate_today(publication)
    assert len(today.not_protected) == len(carried)
    assert not set(today.not_protected) & ({*FORMER.values()} - {*today.not_protected[:1]})
    assert today.rows == publication.certificate.rows
    assert publication_content(publication, path) == path.read_bytes()  # carried on unedited
    assert run(["inspect", "--json", str(path)]) == 0
    shown = json.loads(capsys.readouterr().out)["certificate"]
    assert shown["not_protected"] == list(today.not_protected)


def test_the_files_hold_every_former_sentence() -> None:
    said = {
        sentence
        for name in FILES
        for sentence in Publication.load(FOLDER / name).certificate.not_protected
    }
    assert said >= {*FORMER.values()}
    assert "Other edges between h and h are bare: their rate is 1." in said


def test_former_words_in_the_wrong_place_are_not_good(tmp_path: Path) -> None:
    """A sentence counts where it stood: not twice, and not for another policy."""
    network, walk = Network.parse("ab bc cd bd"), Walk("abcd")
    release = publish(network, walk, policy=Policy.sealed(), source=Seeded(1))
    path = tmp_path / "release.veil.json"
    for old in FORMER.values():
        release.save(path)
        found = json.loads(path.read_text("utf-8"))
        said = found["certificate"]["not_protected"]
        if old in said:
            continue
        said[-1] = old  # where fresh releases were said to add up
        path.write_text(json.dumps(found), "utf-8")
        with pytest.raises(FalseCertificate):
            Publication.load(path)


def test_nothing_but_words_may_differ() -> None:
    publication = Publication.load(FOLDER / "sealed.veil")
    today = certificate_today(publication)
    assert in_todays_words(today, today) == today
    cut = publication.certificate.__class__(not_protected=today.not_protected[:2])
    assert in_todays_words(cut, today) == cut
