"""Pictures of publications and networks: SVG, TikZ, Graphviz dot and terminal text."""

from pathveil.formats.pictures.network_picture import network_svg
from pathveil.formats.pictures.svg import publication_svg
from pathveil.formats.pictures.terminal import publication_text_picture
from pathveil.formats.pictures.text import publication_dot, publication_tikz

__all__ = [
    "network_svg",
    "publication_dot",
    "publication_svg",
    "publication_text_picture",
    "publication_tikz",
]
