"""germany50 of SNDlib: fifty cities. Needs the package topohub (pip install 'pathveil[topohub]')."""

import pathveil as pv
from pathveil.errors import MissingExtra
from shown import leave, show

try:
    network = pv.read_network("topohub:sndlib/germany50")
except MissingExtra as error:
    leave(str(error))
route = pv.Walk(["Hamburg", "Braunschweig", "Kassel", "Erfurt", "Wuerzburg", "Augsburg", "Muenchen"])
show("germany50", network, route, walks=10)
