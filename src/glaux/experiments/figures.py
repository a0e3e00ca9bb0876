"""The figures: curves as the papers draw them, bars of the final results, lines over opponents.

Colours are Okabe and Ito's, which people with any kind of colour vision can tell apart, and every row has a
line style and a marker of its own besides.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glaux.arena.chart import FAINT, LINE, STYLE, check_chart
from glaux.experiments.plan import made
from glaux.experiments.results import Results
from glaux.experiments.spec import MEAN
from glaux.experiments.summary import Outcome
from glaux.words import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (7, 2, 2, 2)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
ENDINGS = ("png", "svg")
WIDTH = 3.6
"""inches of a panel"""
WORDS = {
    "wins": "wins",
    "losses": "losses",
    "score": "score",
    "wins_minus_losses": "wins minus losses",
}


def write_figures(path: Path, outcome: Outcome) -> dict[str, list[str]]:
    """Draw all figures into a directory; their names, without endings, by play."""
    check_chart()
    from matplotlib import rc_context  # noqa: PLC0415 (optional, and slow to load)

    path.mkdir(exist_ok=True)
    drawn: dict[str, list[str]] = {}
    with rc_context(STYLE):
        for name, results in outcome.results.items():
            if not results.rows:
                continue
            figures = {}
            if results.play.stages == "all":
                figures[f"{name}-curves"] = _curves(outcome, results)
            else:
                figures[f"{name}-bars"] = _bars(results)
            if len(results.conditions) > 1:
                figures[f"{name}-opponents"] = _opponents(results)
            drawn[name] = list(figures)
            for title, figure in figures.items():
                for ending in ENDINGS:
                    metadata = {"Date": None} if ending == "svg" else None
                    figure.savefig(path / f"{title}.{ending}", dpi=110, facecolor="white", metadata=metadata)
    return drawn


def style(place: int) -> dict[str, Any]:
    """How the line of a row looks."""
    return {
        "color": COLOURS[place % len(COLOURS)],
        "linestyle": LINES[place % len(LINES)],
        "marker": MARKERS[place % len(MARKERS)],
    }


def _grid(panels: int, legend_rows: int) -> tuple[Figure, list[Axes]]:
    from matplotlib.figure import Figure  # noqa: PLC0415

    columns = min(panels, 3 if panels != 4 else 2)
    rows = math.ceil(panels / columns)
    size = (max(WIDTH * columns, 6.4), 2.7 * rows + 0.5 + 0.22 * legend_rows)
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, sharey=True).ravel()
    for empty in axes[panels:]:
        empty.set_visible(False)
    return figure, list(axes[:panels])


def _finish(axes: Axes, title: str) -> None:
    axes.set_title(title, fontsize=10)
    axes.grid(axis="y", color=LINE)
    axes.set_axisbelow(True)
    axes.tick_params(length=0, labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)


def _legend(figure: Figure, axes: Axes, rows: int, title: str = "") -> None:
    figure.legend(
        *axes.get_legend_handles_labels(),
        title=title or None,
        loc="outside lower center",
        ncols=min(rows, 3),
        frameon=False,
        fontsize=9,
        handlelength=3.4,
    )


def _curves(outcome: Outcome, results: Results) -> Figure:
    """A panel for each game and one for their mean, as Figures 1, 2 and 4 of the paper."""
    panels = [*results.played, *([MEAN] if len(results.played) > 1 else [])]
    rows = results.rows
    figure, all_axes = _grid(len(panels), math.ceil(len(rows) / 3))
    stages = outcome.plan.stages
    for axes, game in zip(all_axes, panels, strict=True):
        curves = outcome.curves(results, results.played if game == MEAN else [game])
        for place, (row, title) in enumerate(rows.items()):
            if row not in curves:
                continue
            curve, look = curves[row], style(place)
            x = [stage / stages for stage in range(1, stages + 1)]
            every = max(1, stages // 8)
            axes.plot(x, _percent(curve["mean"]), label=title, markersize=4, markevery=every, **look)
            if game == MEAN:
                low, high = _percent(curve["low"]), _percent(curve["high"])
                axes.fill_between(x, low, high, color=look["color"], alpha=0.13, linewidth=0)
            if results.play.maximum:
                axes.plot(x, _percent(curve["best"]), color=look["color"], linewidth=0.8, alpha=0.7)
        axes.set_xlim(0, 1)
        axes.set_xticks([0, 0.5, 1], ["0", "half", "all"])
        _finish(axes, "mean of the games" if game == MEAN else label(game))
    _axis_labels(figure, results, "")
    bands = "; bands are 95% intervals" if MEAN in panels else ""
    best = "; thin lines are the best repetition" if results.play.maximum else ""
    _legend(figure, all_axes[-1], len(rows), f"during training ({budget(outcome)}{bands}{best})")
    return figure


def _bars(results: Results) -> Figure:
    """The final results of each game and their mean, with 95% intervals."""
    panels = [*results.played, *([MEAN] if len(results.played) > 1 else [])]
    rows = results.rows
    figure, all_axes = _grid(len(panels), math.ceil(len(rows) / 3))
    for axes, game in zip(all_axes, panels, strict=True):
        for place, (row, title) in enumerate(rows.items()):
            found = results.estimate(row, None if game == MEAN else [game])
            if found is None:
                continue
            mean, low, high = (100 * value for value in (found.mean, found.low, found.high))
            axes.bar(place, mean, color=COLOURS[place % len(COLOURS)], label=title, alpha=0.55)
            axes.errorbar(
                place, mean, [[mean - low], [high - mean]], color="black", capsize=3, linewidth=1, zorder=3
            )
            axes.plot(place, mean, MARKERS[place % len(MARKERS)], color="black", markersize=4, zorder=4)
        axes.set_xticks(range(len(rows)), [str(place + 1) for place in range(len(rows))])
        _finish(axes, "mean of the games" if game == MEAN else label(game))
    _axis_labels(figure, results, " · ".join(f"{i}: {title}" for i, title in enumerate(rows.values(), 1)))
    return figure


def _opponents(results: Results) -> Figure:
    """What the rows do against each opponent, or at each number of twists, as Scheiermann and Konen draw."""
    rows, conditions = results.rows, results.conditions
    figure, all_axes = _grid(len(results.played), math.ceil(len(rows) / 3))
    for axes, game in zip(all_axes, results.played, strict=True):
        for place, (row, title) in enumerate(rows.items()):
            beside = 0.03 * (place - (len(rows) - 1) / 2)  # so that no interval hides another
            points = [
                (
                    x + beside,
                    100 * found.mean,
                    100 * (found.mean - found.low),
                    100 * (found.high - found.mean),
                )
                for x, condition in enumerate(conditions)
                if (found := results.estimate(row, [game], condition=condition)) is not None
            ]
            if points:
                x, y, below, above = zip(*points, strict=True)
                axes.errorbar(x, y, (below, above), label=title, capsize=2, markersize=4, **style(place))
        axes.set_xticks(range(len(conditions)), conditions, rotation=25, ha="right")
        _finish(axes, label(game))
    _axis_labels(figure, results, "")
    _legend(figure, all_axes[-1], len(rows))
    return figure


def _axis_labels(figure: Figure, results: Results, below: str) -> None:
    words = "solved" if results.play.twists else WORDS[results.play.measure]
    figure.supylabel(f"{words} in %", fontsize=9, color=FAINT)
    if below:
        figure.supxlabel(below, fontsize=9, color=FAINT, wrap=True)


def _percent(values: list[float]) -> list[float]:
    return [100 * value for value in values]


def label(game: str) -> str:
    """A game for people."""
    one = made(game)
    usual = made(one.name).parameters
    changed = [f"{key} {value}" for key, value in one.parameters.items() if usual.get(key) != value]
    return ", ".join([one.spec.title, *changed])


def budget(outcome: Outcome) -> str:
    """How long a training run may take, in words."""
    plan = outcome.plan
    return plural(plan.minutes, "minute") if plan.minutes else plural(plan.matches, "match")
