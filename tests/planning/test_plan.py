"""Plan: does it fit, by which way, and what would others learn."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pytest

from pathveil.batching.batch_run import ask_gate_about
from pathveil.chance.source import Seeded
from pathveil.errors import BadArgument, BadNetwork
from pathveil.files.networks.network_reader import read_network
from pathveil.grouping.draw_grouping import group, recommend
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.planning.capacity import ExpectedSeries, usage_for
from pathveil.planning.cover import CountedRelease, Life, Urns, cover
from pathveil.planning.plan import Plan, _typical_network, lacking_one_link, plan
from pathveil.policies import Policy
from pathveil.publishing.terms import ReleaseTerms

DATA = Path(__file__).parent.parent / "data"


@pytest.fixture(scope="module")
def geant() -> Network:
    return read_network(DATA / "Geant2012.graphml")


@pytest.fixture(scope="module")
def month(geant: Network) -> Plan:
    return plan(geant, walks=30, length=6)


class TestPlan:
    def test_a_month_of_daily_paths_over_geant_does_not_fit_and_says_how_many_do(
        self, month: Plan
    ) -> None:
        assert not month.fits
        assert not month.way("series").fits
        assert month.way("series").most_walks in range(9, 14)
        assert month.way("envelopes").fits
        assert month.way("envelopes").most_walks is None

    def test_a_week_fits(self, geant: Network) -> None:
        made = plan(geant, walks=7, length=6)
        assert made.fits
        assert made.way("series").fits
        assert made.way("series").usage == "0.15"
        assert not made.way("once").fits

    def test_ways_are_named_once_in_this_order(self, month: Plan) -> None:
        assert [way.way for way in month.ways] == [
            *("once", "coins", "series", "grouping", "envelopes")
        ]

    @pytest.mark.regression("a grouping that cannot be drawn fitted one walk; a bare StopIteration")
    def test_a_single_walk_is_one_release(self, geant: Network) -> None:
        made = plan(geant, walks=1, length=6)
        assert made.way("once").fits
        assert made.way("grouping").fits == bool(made.way("grouping").command)
        with pytest.raises(BadArgument, match="'series'"):
            made.way("serie")

    @pytest.mark.regression("plan advised rare chaff where the default policy fits and tells less")
    def test_the_default_policy_is_named_where_it_fits_and_tells_less(self) -> None:
        """Fair coins tell less in each file, yet more in all of them once there are several."""
        for walks, said in ((2, "by the default policy"), (5, "its first file"), (6, None)):
            made = plan(vertices=40, links=61, walks=walks, length=6)
            assert made.way("once").fits == (said is not None)
            assert ("default policy" in made.verdict) == (said is not None)
            assert (said or "") in made.verdict

    @pytest.mark.regression("plan printed five commands, and nobody could tell which to type")
    def test_the_verdict_ends_in_one_command_for_so_many_walks(self) -> None:
        for walks, way in ((1, "once"), (2, "once"), (5, "series"), (30, "envelopes")):
            made = plan(vertices=40, links=61, walks=walks, length=6)
            command = made.way(way).command.partition("; ")[0]
            assert made.verdict.endswith(f"\nType: {command}")
            assert ("--ledger DB" in made.way("once").command) == (walks > 1)
            exposed = f"names it {made.way('series').guessed} times in 100 with the first file"
            assert (exposed in made.verdict) == (walks in {2, 5})

    @pytest.mark.regression("plan said Fits where one file alone may be read")
    def test_a_walk_that_uses_up_the_cover_is_said_so(self) -> None:
        made = plan(Network.parse("ab bc cd ad"), walks=1, length=2)
        assert (made.way("once").cover or 0) > 1
        assert not made.verdict.startswith("Fits")

    def test_rare_chaff_fits_more_walks_and_exposes_a_missing_link(self, month: Plan) -> None:
        once, series = month.way("once"), month.way("series")
        assert (once.guessed, once.certain) == (47, 13)
        assert series.certain > 4 * once.certain

    def test_plan_group_and_gate_agree_on_a_grouping(self, geant: Network, month: Plan) -> None:
        """GEANT is too small: nothing is recommended, nothing is drawn, nothing fits."""
        assert not month.way("grouping").fits
        assert not recommend(geant).useful
        network = _typical_network(750, 900)
        way = plan(network, walks=30, length=6).way("grouping")
        assert way.fits
        assert way.most_walks is None
        grouping = group(network, classes=recommend(network).classes, source=Seeded(9))
        walks = ExpectedSeries(network, 6).walks(30)
        used = ask_gate_about(network, ReleaseTerms(grouping=grouping), [], walks)
        assert used.share == pytest.approx(way.cover, abs=0.1)

    @pytest.mark.regression("plan --alike told to type a policy that no command takes")
    def test_routes_that_repeat_fit_chaff_that_follows_them(
        self, geant: Network, month: Plan
    ) -> None:
        routes = plan(geant, walks=30, length=6, alike=True)
        assert routes.way("series").usage is None
        assert routes.way("series").command != month.way("series").command
        for made in (routes, month):
            typed = re.findall(r"--policy ([^\s;]+)", " ".join(way.command for way in made.ways))
            assert len(typed) == 3 - (made.way("coins").usage is None)
            for policy in typed:
                Policy.parse(policy)

    def test_data_and_picture_hold_the_same_as_the_plan(self, month: Plan) -> None:
        data = json.loads(json.dumps(month.to_json()))
        assert data["verdict"] == month.verdict
        assert [way["most_walks"] for way in data["ways"]] == [w.most_walks for w in month.ways]
        assert month.picture().startswith("<svg")
        assert month.picture() in month._repr_html_()
        assert month._repr_html_().count("<tr>") > len(month.ways)
        assert all(row[1] in str(month) for row in month.table()[1])

    @pytest.mark.parametrize(
        "given",
        [
            {"walks": 2, "length": 3},
            {"walks": 2, "length": 3, "vertices": 5, "links": 3},
            {"walks": 2, "length": 3, "vertices": 10**9, "links": 10**10},
            {"walks": 2, "length": 9, "vertices": 5, "links": 6},
            {"walks": 2, "length": 3, "vertices": 5, "links": 6, "network": Network.parse("ab bc")},
        ],
    )
    def test_what_no_network_is_like_is_refused(self, given: dict[str, Any]) -> None:
        with pytest.raises(BadNetwork):
            plan(**given)

    @pytest.mark.parametrize("walks", [0, 2.5])
    def test_walks_are_a_whole_number(self, walks: Any) -> None:
        with pytest.raises(BadArgument, match="whole numbers"):
            plan(walks=walks, length=3, vertices=5, links=6)


class TestNumbers:
    def test_usage_is_rounded_up_to_a_few_numbers_a_decade(self) -> None:
        assert [usage_for(4, m) for m in (61, 243, 895, 2000)] == [
            *(Fraction(1, 10), Fraction(3, 100), Fraction(7, 1000), Fraction(3, 1000))
        ]

    def test_someone_who_lacks_a_link_is_sure_where_no_rival_is_left(self) -> None:
        assert lacking_one_link(1e-30) == (100, 100)

    @pytest.mark.parametrize(("vertices", "links", "length"), [(20, 32, 4), (60, 120, 6)])
    def test_the_gate_closes_about_where_the_plan_says(
        self, vertices: int, links: int, length: int
    ) -> None:
        made = plan(vertices=vertices, links=links, walks=10, length=length)
        most = made.way("series").most_walks
        assert most is not None
        network = _typical_network(vertices, links)
        series = ExpectedSeries(network, length)
        usage = float(made.way("series").usage or 0)
        law = Urns(4.0, 4.0 * (1 - usage) / usage)
        closings = []
        for draw in range(9):
            random = np.random.default_rng([99, draw])
            life = Life(())
            while not cover(life).closed:
                row = series.sample[int(random.integers(len(series.sample)))].tolist()
                walk = Walk([network.vertices[k] for k in row])
                life = life.and_then(CountedRelease(network, (walk,), law))
            closings.append(len(life.releases) - 1)
        assert abs(median(closings) - most) <= max(1, 0.15 * most)
