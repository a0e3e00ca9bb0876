"""Draws the families of value functions: ``make_families.py FILE.jsonl --out FILE.svg``.

FILE.jsonl is what ``experiments/families.py`` wrote.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from plotting import Rows, draw_lines, tidy

LABELS = {"ntuple": "n-tuple network", "patterns": "pattern network", "network": "neural network"}


def draw(rows: Rows) -> Figure:
    """A panel for each game."""
    columns = 2
    figure, panels = plt.subplots(
        -(-len(rows) // columns), columns, figsize=(8, 4.8), sharey=True, layout="constrained", squeeze=False
    )
    for axes, row in zip(panels.flat, rows, strict=False):
        for family, training in row["trainings"].items():
            seconds, scores = zip(*training["curve"], strict=True)
            label = LABELS[family]
            axes.plot([second / 60 for second in seconds], scores, marker="o", markersize=3, label=label)
        tidy(axes, row["game"])
    figure.supxlabel("minutes of training on one core", fontsize="medium")
    figure.supylabel("score against mcts:iterations=1000", fontsize="medium")
    figure.legend(
        *panels[0][0].get_legend_handles_labels(), frameon=False, loc="outside upper center", ncols=2
    )
    return figure


if __name__ == "__main__":
    draw_lines(draw, __doc__)
