"""The paper's evaluation, the prior systems, and attacks that only studies use."""
