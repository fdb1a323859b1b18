"""A supply chain: thirteen firms, and the route of one part."""

from shown import show

import pathveil as pv

SUPPLIES = {
    "Kiruna Mine": ["Lulea Steel", "Narvik Port"],
    "Narvik Port": ["Rotterdam Port"],
    "Lulea Steel": ["Gothenburg Rolling", "Hamburg Port"],
    "Hamburg Port": ["Lyon Stamping", "Gdansk Axles"],
    "Rotterdam Port": ["Lyon Stamping", "Essen Castings"],
    "Gothenburg Rolling": ["Essen Castings", "Gdansk Axles"],
    "Essen Castings": ["Turin Gearboxes"],
    "Lyon Stamping": ["Turin Gearboxes", "Bilbao Bodies"],
    "Gdansk Axles": ["Bratislava Assembly"],
    "Turin Gearboxes": ["Bratislava Assembly", "Bilbao Bodies"],
    "Bilbao Bodies": ["Vigo Assembly"],
    "Bratislava Assembly": ["Vigo Assembly"],
}
network = pv.Network.from_links((firm, buyer) for firm in SUPPLIES for buyer in SUPPLIES[firm])
route = pv.Walk(
    [
        "Kiruna Mine",
        "Lulea Steel",
        "Gothenburg Rolling",
        "Essen Castings",
        "Turin Gearboxes",
        "Bratislava Assembly",
    ]
)
show("supply-chain", network, route, walks=3)
