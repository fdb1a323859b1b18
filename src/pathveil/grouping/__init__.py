"""Classes that hide links for ever: how a grouping is drawn and what it costs."""
