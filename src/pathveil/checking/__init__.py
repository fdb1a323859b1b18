"""Does a file keep its promises, and are they the ones its policy earns."""
