"""Policies: how a custodian decides what chance does, and nothing about how it is done.

Each kind is one class with its law, terms, sentences and options. Numbers are exact: whole numbers,
fractions, decimals or their text; a float means its shortest decimal form, so 0.1 is one tenth.
"""

from pathveil.policies.kinds import Number, exact_number
from pathveil.policies.policy import KINDS, Policy, kind_named

__all__ = ["KINDS", "Number", "Policy", "exact_number", "kind_named"]
