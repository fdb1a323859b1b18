"""Pictures: SVG, PNG, TikZ, Graphviz dot and terminal text."""
