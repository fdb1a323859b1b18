"""Who attacks it: what the files tell somebody who lacks part of the network."""
