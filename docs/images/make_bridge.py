"""Draws two ways to learn with two ways to play: ``make_bridge.py FILE.jsonl --out FILE.svg``.

FILE.jsonl is what ``experiments/bridge.py`` wrote.
"""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from plotting import Rows, draw_lines, tidy


def draw(rows: Rows) -> Figure:
    """A column for each game: scores against MCTS over the training, and the ratings after it."""
    figure, panels = plt.subplots(
        2, len(rows), figsize=(4.7 * len(rows), 6), layout="constrained", squeeze=False, sharey="row"
    )
    colours = {name: f"C{i}" for i, name in enumerate(dict.fromkeys(rows[0]["names"].values()))}
    for above, below, row in zip(*panels, rows, strict=True):
        draw_curves(above, row, colours)
        draw_ratings(below, row["tournament"]["ratings"], row["names"], colours)
    panels[0][0].set_ylabel("score against mcts:iterations=10000")
    panels[0][0].legend(frameon=False, loc="lower right")
    return figure


def draw_curves(axes: Axes, row: dict[str, Any], colours: dict[str, str]) -> None:
    """Scores over the minutes of training, side by side so that their intervals can be seen."""
    for i, (name, curve) in enumerate(row["curves"].items()):
        minutes, scores, low, high = zip(*curve, strict=True)
        apart = [minute * 1.04 ** (i - 1.5) for minute in minutes]
        errors = [
            [score - end for score, end in zip(scores, low, strict=True)],
            [end - score for score, end in zip(scores, high, strict=True)],
        ]
        axes.errorbar(apart, scores, errors, color=colours[name], marker="o", markersize=4, label=name)
    tidy(axes, row["game"])
    axes.set(ylim=(0.48, 1.02), xlabel="minutes of training on two cores")
    axes.set_xscale("log", base=2)
    axes.set_xticks(minutes, [f"{minute:.3g}" for minute in minutes])


def draw_ratings(
    axes: Axes, ratings: list[dict[str, Any]], names: dict[str, str], colours: dict[str, str]
) -> None:
    """The tournament after all of the training: ratings with their intervals."""
    places = list(colours)[::-1]
    for rating in ratings:
        name, elo = names[rating["player"]], rating["elo"]
        errors = [[elo - rating["low"]], [rating["high"] - elo]]
        axes.errorbar(elo, places.index(name), xerr=errors, color=colours[name], marker="o", capsize=3)
    axes.set_yticks(range(len(places)), places)
    axes.set_xlabel("rating of the tournament, Elo")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="x", alpha=0.3)


if __name__ == "__main__":
    draw_lines(draw, __doc__)
