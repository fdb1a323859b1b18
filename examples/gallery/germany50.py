"""germany50 of SNDlib: fifty cities. Needs topohub (pip install 'pathveil[topohub]')."""

from shown import leave, show

import pathveil as pv
from pathveil.errors import MissingExtra

try:
    network = pv.read_network("topohub:sndlib/germany50")
except MissingExtra as error:
    leave(str(error))
cities = "Hamburg Braunschweig Kassel Erfurt Wuerzburg Augsburg Muenchen"
route = pv.Walk(cities.split())
show("germany50", network, route, walks=10)
