"""Abilene, the research network of the United States in 2005: eleven routers."""

from pathlib import Path

from shown import show

import pathveil as pv

FILE = Path(__file__).parents[2] / "tests" / "data" / "Abilene.graphml"

network = pv.read_network(FILE)
route = pv.Walk(["Seattle", "Denver", "Kansas City", "Indianapolis", "Chicago", "New York"])
show("abilene", network, route, walks=4)
