"""GEANT, the research network of Europe in 2012: forty countries."""

from pathlib import Path

from shown import show

import pathveil as pv

FILE = Path(__file__).parents[2] / "tests" / "data" / "Geant2012.graphml"

network = pv.read_network(FILE)
route = pv.Walk(["IS", "DK", "DE", "AT", "GR"])
show("geant", network, route, walks=10)
