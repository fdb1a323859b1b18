"""Who attacks it: what can be inferred, attacks with their controls, and the judge of claims.

``inference`` gives the exact posterior of an adversary who misses edges; ``attacks`` and its
neighbours run what an adversary would run, against releases whose answer is known; ``auditing``
measures the loss of any mechanism from outside.
"""
