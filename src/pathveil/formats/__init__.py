"""Objects to files and back; pictures too.

Readers treat every file as hostile: size limits, no pickles, no entity expansion, everything
checked, and the place of the fault at the start of each message.
"""

from pathveil.formats.networks import read_network, read_row
from pathveil.formats.publications import read_publication, write_publication
from pathveil.formats.walks import read_walk

__all__ = [
    "read_network",
    "read_publication",
    "read_row",
    "read_walk",
    "write_publication",
]
