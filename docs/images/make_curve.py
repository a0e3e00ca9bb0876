"""Draws the learning curves of runs: ``python docs/images/make_curve.py RUN ... --out FILE.svg``.

The score against the run's fixed opponent over the minutes of training, with its 95% interval.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from glaux.learn.run import Run
from glaux.rules.registry import make


def draw(runs: list[Run]) -> Figure:
    """A curve for each run."""
    figure, axes = plt.subplots(figsize=(7, 3.2), layout="constrained")
    for run in runs:
        rows = [row for row in run.metrics() if row["kind"] == "strength"]
        minutes = [row["elapsed"] / 60 for row in rows]
        name, opponent = make(run.config.game).spec.title, run.config.strength.opponent
        label = f"{name} against {opponent}, {rows[0]['games']} games each"
        [line] = axes.plot(minutes, [row["score"] for row in rows], marker="o", markersize=3, label=label)
        low, high = [row["low"] for row in rows], [row["high"] for row in rows]
        axes.fill_between(minutes, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    axes.set(xlabel="minutes of training on two cores", ylabel="score", ylim=(0, 1))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False, loc="lower right")
    return figure


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    draw([Run.open(path) for path in chosen.runs]).savefig(chosen.out)
