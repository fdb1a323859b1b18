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

releases = {
    "ours": pv.publish(routers, flow),
    "the paper's": pv.publish(
        routers, flow, policy=pv.Policy.paper(vertex=None, link=1), layering="backtracking"
    ),
}
for name, release in releases.items():
    monitored = [link for link in routers.links if read_link(release, *link).on_walk]
    print(name, "- links that carry the flow:", ", ".join("-".join(link) for link in monitored))
