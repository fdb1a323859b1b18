"""The compiled loops of the layering engines; :mod:`.running` says how they are run."""
