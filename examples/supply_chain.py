"""A supply chain: the route of a part, published to all suppliers, kept from competitors."""

import networkx as nx

import pathveil as pv

chain = nx.Graph(
    [
        ("mine", "smelter"),
        ("smelter", "rolling mill"),
        ("rolling mill", "stamping"),
        ("stamping", "assembly"),
        ("assembly", "customer"),
        ("smelter", "foundry"),
        ("foundry", "stamping"),
        ("rolling mill", "assembly"),
        ("mine", "foundry"),
        ("foundry", "customer"),
    ]
)
network = pv.Network.from_networkx(chain)
route = pv.Walk(["mine", "smelter", "rolling mill", "stamping", "assembly", "customer"])

publication = pv.publish(network, route)
print(publication.layered)
for row in publication.certificate.rows[:2]:
    print(f"{row.adversary}: {row.presence}")

found = pv.reconstruct(publication, network)
print("every supplier reads:", " -> ".join(found.walk))
