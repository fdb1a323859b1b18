"""From a network and a walk to a publication: the paper's Alg. 3. The best first read."""
