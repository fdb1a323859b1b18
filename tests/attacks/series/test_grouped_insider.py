"""Several files over a grouping, against a listing of all links and all walks at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise, product
from math import exp, prod

import numpy as np
import pytest

from pathveil import Grouping, Network, Policy, Publication, Seeded, Walk, group, publish
from pathveil.attacks.series.grouped_insider import infer_between_vertices
from pathveil.attacks.series.insider import joining_insider
from pathveil.attacks.series.pile_attack import attack_as_insider, read_releases
from pathveil.errors import BrokenSeries, DoesNotFit, UnknownVertex
from pathveil.lab.maps import random_map
from pathveil.publishing.release import publish_together
from tests.attacks.worlds_listed import Case, alone, list_everything

Link = tuple[str, str]
Pattern = tuple[bool, ...]


def fresh(rate: float) -> Callable[[Pattern], float]:
    return lambda shown: prod(rate if on else 1 - rate for on in shown)


def remembered(shown: Pattern) -> float:
    """The urn as it is documented, rate by rate: prior 1/2, 1/2."""
    chance, on = 1.0, 0
    for place, one in enumerate(shown):
        rate = (on + 0.5) / (place + 1)
        chance *= rate if one else 1 - rate
        on += one
    return chance


KINDS: dict[str, tuple[Policy, Callable[[Pattern], float], float]] = {
    "balanced": (Policy.balanced(), fresh(0.5), 0.0),
    "frontier": (Policy.frontier(walk_loss=1), fresh(exp(-1)), 0.0),
    "sealed": (Policy.sealed(), fresh(1.0), 0.0),
    "two-sided": (Policy.two_sided(epsilon=2), fresh(0.5), exp(-2)),
    "remembering": (Policy.remembering(prior=("1/2", "1/2")), remembered, 0.0),
}


def all_walks(network: Network) -> Iterator[tuple[str, ...]]:
    def extend(way: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if len(way) > 1:
            yield way
        for name in network.neighbours(way[-1]):
            if name not in way:
                yield from extend((*way, name))

    for name in network:
        yield from extend((name,))


def listed(
    files: Sequence[Publication],
    known: Network,
    grouping: Grouping,
    chaff: Callable[[Pattern], float],
    doubt: float,
) -> dict[Link, float]:
    """Return the belief in each link: over all choices of a link and one walk for each file."""
    number = {name: k for k, members in enumerate(grouping) for name in members}
    block = {pair: frozenset(number[v] for v in pair) for pair in combinations(known.vertices, 2)}
    someone = {between: pair for pair, between in block.items() if len(between) == 2}
    bits = {
        between: tuple(not file.same_branch((u, 0), (v, 0)) for file in files)
        for between, (u, v) in someone.items()
    }
    taken = {block[link] for link in known.links}
    weights: dict[Link, float] = defaultdict(float)
    for gone in (pair for pair, between in block.items() if between in someone.keys() - taken):
        whole = Network.from_links([*known.links, gone], vertices=known.vertices, connected=False)
        if whole.components() > 1:
            continue
        possible = []
        for place, file in enumerate(files):
            here = []
            for way in all_walks(whole):
                along = [number[name] for name in way]
                steps = {frozenset(step) for step in pairwise(along)}
                chance = 1.0
                if file.direction is not None:
                    even = along == along[::-1]
                    chance = 0.5 if even else float(file.direction == (along < along[::-1]))
                for link in whole.links:
                    shown, true = bits[block[link]][place], block[link] in steps
                    chance *= doubt / 2 + (1 - doubt) * (shown == true)
                here.append(chance)
            possible.append([chance for chance in here if chance])
        linked = taken | {block[gone]}
        coins = prod(chaff(bits[between]) for between in someone.keys() - linked)
        weights[gone] += coins * sum(prod(chosen) for chosen in product(*possible))
    total = sum(weights.values())
    return {link: weight / total for link, weight in weights.items() if weight}


def beliefs(files: Sequence[Publication], known: Network) -> dict[Link, float]:
    found = attack_as_insider(files, known)
    ends = [(found.names[i], found.names[j]) for i, j in found.pairs]
    assert list(found.posterior) == sorted(found.posterior, reverse=True)
    assert "the other releases" not in " ".join(found.left_out)
    return dict(zip(ends, found.posterior, strict=True))


def twice(walk: Walk, grouping: Grouping) -> bool:
    return len(set(grouping.classes_of(walk.vertices).tolist())) < len(walk.vertices)


def cases(kind: str, count: int = 6) -> Iterator[tuple[Network, Grouping, list[Publication]]]:
    """Small networks with two files whose walks pass a class twice, one of them at least."""
    policy = KINDS[kind][0]
    for seed in range(200):
        network, _ = random_map(7, 7, np.random.default_rng(seed))
        grouping = group(network, classes=6, source=Seeded(seed))
        long = [Walk(way) for way in all_walks(network) if len(way) > 4]
        folded = [walk for walk in long if twice(walk, grouping)]
        if not folded:
            continue
        walks = [folded[seed % len(folded)], long[(7 * seed) % len(long)]]
        files: list[Publication] = []
        for k, walk in enumerate(walks):
            after = {"after": files} if files and kind == "remembering" else {}
            source = Seeded(f"{seed} {k}")
            files.append(
                publish(network, walk, policy=policy, grouping=grouping, source=source, **after)  # type: ignore[arg-type]
            )
        yield network, grouping, files
        count -= 1
        if not count:
            return
    raise AssertionError("too few such networks")


@pytest.mark.parametrize("kind", KINDS)
def test_beliefs_by_several_files_are_those_of_a_listing(kind: str) -> None:
    _, chaff, doubt = KINDS[kind]
    shared = 0
    for network, grouping, files in cases(kind, 3 if doubt else 6):
        for gone in network.links:
            known = network.without(gone)
            found = beliefs(files, known)
            assert found == pytest.approx(listed(files, known, grouping, chaff, doubt), abs=1e-12)
            assert found[gone] > 0
            shared += len(found) > 1
    assert shared > 3


def test_between_classes_the_true_link_was_no_candidate() -> None:
    """What was wrong: pieces of a walk between classes, joined as if classes were vertices."""
    lost = 0
    for network, grouping, files in cases("balanced"):
        seen, law, _ = read_releases(files)
        seen = replace(seen, grouped=False)
        for gone in network.links:
            blocks = grouping.blocks_of(network.without(gone))
            classes = sorted(grouping.classes_of(gone).tolist())
            lost += joining_insider(seen, law, blocks).chance_of((classes[0], classes[1])) == 0
    assert lost > 3


def test_more_files_order_and_forms_make_no_difference() -> None:
    network, grouping, files = next(cases("remembering"))
    known = network.without(network.links[2])
    assert beliefs(files, known) == beliefs(files[::-1], known)
    sketched: list[Publication] = []
    for walk in ("first", "second"):
        way = next(Walk(way) for way in all_walks(network) if len(way) == 5)
        sketched.append(
            publish(
                network, way, grouping=grouping, form="sketch", capacity=20, source=Seeded(walk)
            )
        )
    for gone in network.links:
        known = network.without(gone)
        expected = listed(sketched, known, grouping, fresh(0.5), 0.0)
        assert beliefs(sketched, known) == pytest.approx(expected)


def test_copies_with_fresh_coins() -> None:
    network, grouping = Network.parse("ab bc cd"), Grouping.of(["ad", "be", "cf"])
    policy = Policy.balanced(copies=2)
    files = [
        publish(network, Walk(walk), policy=policy, grouping=grouping, source=Seeded(k))
        for k, walk in enumerate(("abcd", "cba"))
    ]
    known = network.without(("a", "b"))
    weights: dict[Link, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for place, file in enumerate(files):
        case = Case(file, known, 1, alone(0.5), groups=tuple(grouping))
        for (gone, _), weight in list_everything(case).after.items():
            (link,) = gone
            weights[link][place] += weight
    joint = {link: prod(each) for link, each in weights.items() if prod(each)}
    expected = {link: weight / sum(joint.values()) for link, weight in joint.items()}
    assert beliefs(files, known) == pytest.approx(expected)


def test_what_is_refused() -> None:
    network, grouping = Network.parse("ab bc cd"), Grouping.of(["ad", "be", "cf"])
    walk, known = Walk("abcd"), network.without(("b", "c"))
    pair = [publish(network, walk, grouping=grouping, source=Seeded(k)) for k in range(2)]
    with pytest.raises(DoesNotFit, match="not all over one grouping"):
        attack_as_insider([pair[0], publish(network, walk)], known)
    other = publish(network, walk, grouping=grouping, policy=Policy.sealed())
    with pytest.raises(DoesNotFit, match="publication 2 has another policy"):
        attack_as_insider([pair[0], other], known)
    with pytest.raises(UnknownVertex):
        attack_as_insider(pair, grouping.between_classes(network))
    seen, law, _ = read_releases(pair)
    with pytest.raises(ValueError, match="infer_between_vertices"):
        joining_insider(seen, law, grouping.blocks_of(known))
    together = publish_together(network, [Walk("ab"), Walk("bcd")], grouping=grouping)
    with pytest.raises(DoesNotFit, match="2 walks were published together"):
        attack_as_insider(list(together), known)
    copied = Policy.remembering(prior=("1/2", "1/2"), copies=2)
    first = publish(network, walk, grouping=grouping, policy=copied)
    with pytest.raises(DoesNotFit, match="one at a time"):
        attack_as_insider([first], known)
    start = publish(
        network, walk, grouping=grouping, policy=Policy.remembering(prior=("1/2", "1/2"))
    )
    later = publish(network, walk, grouping=grouping, after=[start])
    with pytest.raises(BrokenSeries):
        attack_as_insider([later], known)
    assert infer_between_vertices([start, later], known).names == network.vertices
