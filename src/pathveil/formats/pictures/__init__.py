"""Pictures of publications and networks: SVG, TikZ, Graphviz dot and terminal text."""

from pathveil.formats.pictures.svg import publication_svg

__all__ = [
    "network_svg",
    "publication_dot",
    "publication_svg",
    "publication_text_picture",
    "publication_tikz",
]
