"""The five prior systems, and the paper's attack on them."""
