"""A courier's week: five rides over the streets of a town, published as one series."""

import networkx as nx
from shown import show

import pathveil as pv

town = nx.convert_node_labels_to_integers(nx.grid_2d_graph(8, 8), ordering="sorted")
streets = pv.Network.from_networkx(nx.relabel_nodes(town, lambda i: f"{'ABCDEFGH'[i // 8]}{i % 8}"))
week = """\
A0 B0 B1 C1 C2 D2
H7 G7 G6 F6 F5 E5
A7 A6 B6 B5 C5 C4
H0 H1 G1 G2 F2 F3
D7 D6 E6 E5 E4 F4"""
rides = [pv.Walk(ride.split()) for ride in week.splitlines()]
show("courier-week", streets, rides[0], walks=len(rides), draws=50)

usage = pv.plan(streets, walks=len(rides), length=5).way("series").usage
files = pv.publish_series(streets, rides, policy=pv.Policy.parse(f"remembering:usage={usage}"))
read = [pv.reconstruct(file, streets).walk == ride for file, ride in zip(files, rides, strict=True)]
print(f"\nas one series with usage {usage}: {sum(read)} of {len(rides)} rides read back exactly")
