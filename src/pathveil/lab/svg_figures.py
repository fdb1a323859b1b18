"""Figures of matplotlib, written as SVG without a date: the same table gives the same bytes."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from pathveil.errors import MissingExtra
from pathveil.files.atomic_write import write_aside

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STYLE = {
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "legend.fontsize": 7.5,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.linewidth": 0.4,
    "grid.color": "#D0D0D0",
    "lines.linewidth": 1.0,
    "lines.markersize": 3.2,
    "svg.hashsalt": "pathveil",
}


def require_matplotlib() -> None:
    """Raise if no figure can be drawn: asked before the work that ends with one."""
    if find_spec("matplotlib") is None:
        raise MissingExtra("plot", "matplotlib")


@contextmanager
def svg_figure(
    path: Path, width: float, height: float, *, replacing: bool = True
) -> Iterator[Figure]:
    """Yield an empty figure to draw on; what was drawn is then written to the path."""
    require_matplotlib()
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):  # type: ignore[arg-type]
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure
        made = io.BytesIO()
        figure.savefig(made, format="svg", metadata={"Date": None})
    path.parent.mkdir(parents=True, exist_ok=True)
    write_aside(path, made.getvalue(), replacing=replacing, resuming=True)
