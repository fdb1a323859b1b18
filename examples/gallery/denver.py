"""A part of Denver's streets: 377 crossings, from OpenStreetMap (ODbL).

The map is not in this project. Put mappymatch's ``osmnx_drive_graph.graphml`` into the folder
``denver`` of the folder that PATHVEIL_DATA names.
"""

import os
from pathlib import Path

import networkx as nx
from shown import leave, show

import pathveil as pv

FILE = Path(os.environ.get("PATHVEIL_DATA", "../data")) / "denver" / "osmnx_drive_graph.graphml"
if not FILE.exists():
    leave(f"{FILE} is not here")

streets = pv.read_network(FILE, simplify=True, largest_component=True)
places = streets.coordinates or {}
north, south = (choose(places, key=lambda name: places[name][1]) for choose in (max, min))
trip = pv.Walk(nx.shortest_path(streets.to_networkx(), north, south))
show("denver", streets, trip, walks=10, draws=10)
