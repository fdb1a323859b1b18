"""Law: who knows the network reads the walk back exactly, whatever the network, walk and policy."""

from __future__ import annotations

from hypothesis import given

from pathveil import Publication, reconstruct
from pathveil.reading.assemble import Reading
from tests.strategies import Task, tasks


@given(tasks())
def test_exact_layering_gives_the_walk_and_its_direction(task: Task) -> None:
    found = reconstruct(task.publish(), task.network)
    assert found.walk == task.walk
    assert found.order == "known"


@given(tasks(few=True))
def test_the_papers_layering_gives_the_walk_up_to_direction(task: Task) -> None:
    publication, walk = task.publish(layering="backtracking"), task.walk
    found = reconstruct(publication, task.network)
    assert found.walk in {walk, walk.reversed()}
    assert found.walk.links == walk.links
    assert found.order == papers_rule(publication, found)


def papers_rule(publication: Publication, found: Reading) -> str:
    """Tell the rule again, from the drawn nodes: which end has a root nearer along the walk?"""
    below = {lower for _, lower in publication.arcs}
    tops = {node[:2] for layer in publication.layers for node in layer if node not in below}
    labels = list(zip(found.walk.vertices, found.copies, strict=True))
    near = [i for i, label in enumerate(labels) if label in tops]
    if not near or near[0] == len(labels) - 1 - near[-1]:
        return "either_way"
    assert near[0] < len(labels) - 1 - near[-1]
    return "known"
