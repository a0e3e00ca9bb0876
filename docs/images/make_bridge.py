"""Draws two ways to learn with two ways to play: ``make_bridge.py FILE.jsonl --out FILE.svg``.

FILE.jsonl is what ``experiments/bridge.py`` wrote.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from plotting import Rows, draw_lines, tidy


def draw(rows: Rows) -> Figure:
    """A panel for each game: scores against MCTS over the minutes of training, with their intervals."""
    figure, panels = plt.subplots(
        1, len(rows), figsize=(4.5 * len(rows), 3.6), sharey=True, layout="constrained", squeeze=False
    )
    for axes, row in zip(panels[0], rows, strict=True):
        for name, curve in row["curves"].items():
            minutes, scores, low, high = zip(*curve, strict=True)
            [line] = axes.plot(minutes, scores, marker="o", markersize=3, label=name)
            axes.fill_between(minutes, low, high, color=line.get_color(), alpha=0.1, linewidth=0)
        tidy(axes, row["game"])
        axes.set_xlabel("minutes of training on two cores")
    panels[0][0].set_ylabel("score against mcts:iterations=10000")
    panels[0][0].legend(frameon=False, loc="lower right")
    return figure


if __name__ == "__main__":
    draw_lines(draw, __doc__)
