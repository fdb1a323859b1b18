"""Intelligence exchange, from the paper's introduction: each agent learns its own contacts only."""

import pathveil as pv
from pathveil.reading.participant import read_vertex

channels = pv.Network.parse("ab ac bc bd ce de df ef eg fg")
message = pv.Walk("abdfegf")  # passes f twice
release = pv.publish(channels, message, policy=pv.Policy.balanced(copies=2))

for agent in channels:
    own = channels.neighbours(agent)  # an agent knows its own channels and nothing else
    contacts = sorted({link.there[0] for link in read_vertex(release, agent, own).links})
    print(agent, "passes the message between:", " ".join(contacts) or "nobody")

# Counter-intelligence knows every channel but one, and that the message goes round.
found = pv.attack(release, pv.Knowledge(channels.without(("d", "f"))))
for channel, before, after in found.rows():
    print(f"{channel}: {before:.2f} before the release, {after:.2f} after it")
