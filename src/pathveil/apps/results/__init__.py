"""Results as plain data, for ``--json``: one vocabulary, in one place.

Counts, measured probabilities and times are numbers. Losses are ``{"expression", "decimal"}``: a
closed form (null where there is none), and a decimal text rounded against us, "inf" where there is
no bound; chances that a certificate promises are such decimal texts too, as in the file. Exact
budgets are texts ("7/2"). A command always gives the same keys: what has no value is null. The
schema of each command's output is in ``pathveil/formats/schemas``.
"""
