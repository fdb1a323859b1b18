"""A courier's round: closed, passing one place twice. Copies hide which place that was."""

import pathveil as pv

streets = pv.Network.parse("ab bc cd de ef fa be cf bd")
trip = pv.Walk("abcdeba")

try:
    pv.publish(streets, trip)
except pv.errors.NeedsMoreCopies as error:
    print(f"refused: {error}")

publication = pv.publish(streets, trip, policy=pv.Policy.balanced(copies=2))
print("every place has", publication.positions.counts[0], "copies")
print("read back:", "".join(pv.reconstruct(publication, streets).walk))
