"""Internet traffic flow, from the paper's overview: the participants are links between routers."""

import pathveil as pv
from pathveil.reading.participant import read_link

routers = pv.Network.from_links(
    [
        ("edge-1", "core-1"),
        ("edge-1", "core-2"),
        ("core-1", "core-2"),
        ("core-1", "core-3"),
        ("core-2", "core-3"),
        ("core-3", "edge-2"),
        ("core-2", "edge-2"),
    ]
)
flow = pv.Walk(["edge-1", "core-1", "core-2", "core-3", "edge-2"])

for name, policy, layering in (
    ("ours", pv.Policy.balanced(), "exact"),
    ("the paper's", pv.Policy.paper(vertex=None, link=1), "backtracking"),
):
    release = pv.publish(routers, flow, policy=policy, layering=layering)
    monitored = [link for link in routers.links if read_link(release, *link).on_walk]
    print(name, "- links that carry the flow:", ", ".join("-".join(link) for link in monitored))
