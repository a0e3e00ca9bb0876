"""What the pictures of experiments have in common."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

Rows = list[dict[str, Any]]


def tidy(axes: Axes, title: str) -> None:
    """A panel of scores, 0 to 1."""
    axes.set(title=title, ylim=(-0.03, 1.03))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.3)


def draw_lines(draw: Callable[[Rows], Figure], about: str | None) -> None:
    """The command of a picture: a file with a JSON line for each panel, and where the picture goes."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    draw([json.loads(line) for line in chosen.rows.read_text().splitlines()]).savefig(chosen.out)
