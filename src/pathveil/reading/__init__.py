"""Who may read it back: a publication and (part of) a network, nothing else."""
