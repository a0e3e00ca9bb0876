"""The chart of a tournament: the ladder of ratings with their intervals, and who scored what on whom.

matplotlib is an optional dependency, because a tournament is complete without a picture.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glaux.arena.report import CrossTable, Row
from glaux.errors import MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FILES = ("ratings.png", "ratings.svg")
INK, FAINT, LINE, DOT, BAR = "#1c2733", "#5d6b7a", "#dfe4ea", "#1f5fa8", "#8fb3dc"
WIDE_NAME = 34
"""Letters of a player's text that stand on one line."""
CELLS_WITH_FIGURES = 16
"""Players up to which the cells have room for figures."""
STYLE: Any = {
    "font.size": 10,
    "font.family": "sans-serif",
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "xtick.color": INK,
    "ytick.color": INK,
    "svg.fonttype": "path",
    "svg.hashsalt": "glaux",
}


def check_chart() -> None:
    """MissingExtra if there is nothing to draw with."""
    if find_spec("matplotlib") is None:
        raise MissingExtra("Charts need the package matplotlib: pip install 'glaux[figures]'.")


def write_chart(path: Path, table: CrossTable) -> list[Path]:
    """Draw the chart into a directory, as PNG and as SVG; the files."""
    check_chart()
    from matplotlib import rc_context  # noqa: PLC0415 (optional, and slow to load)

    with rc_context(STYLE):
        figure = _draw(table)
        for name in FILES:
            # Without a date, the same tournament gives the same file.
            metadata = {"Date": None} if name.endswith("svg") else None
            figure.savefig(path / name, dpi=160, facecolor="white", metadata=metadata)
    return [path / name for name in FILES]


def _draw(table: CrossTable) -> Figure:
    from matplotlib.figure import Figure  # noqa: PLC0415

    players = len(table.rows)
    height = 1.9 + 0.5 * players
    figure = Figure(figsize=(6.4 + 0.55 * min(players, CELLS_WITH_FIGURES), height), layout="constrained")
    ladder, cells = figure.subplots(1, 2, sharey=True, width_ratios=[3.4, 0.62 * max(players, 3)])
    _draw_ladder(ladder, table)
    _draw_cells(cells, table)
    tournament = table.tournament
    figure.suptitle(
        f"{tournament.game.spec.title}: {players} players, {tournament.games} games a pair",
        fontweight="bold",
        fontsize=13,
    )
    return figure


def _draw_ladder(axes: Axes, table: CrossTable) -> None:
    places = list(range(len(table.rows)))
    ratings = [row.rating for row in table.rows]
    elos = [rating.elo for rating in ratings]
    below = [rating.elo - rating.low for rating in ratings]
    above = [rating.high - rating.elo for rating in ratings]
    axes.errorbar(
        elos, places, xerr=[below, above], fmt="none", ecolor=BAR, elinewidth=2.4, capsize=5, capthick=2.4
    )
    axes.plot(elos, places, "o", color=DOT, markersize=8.5, markeredgecolor="white", zorder=3)
    for elo, place in zip(elos, places, strict=True):
        axes.annotate(
            f"{elo:+.0f}",
            (elo, place),
            xytext=(0, 8),
            textcoords="offset points",
            ha="center",
            fontsize=9.5,
            fontweight="bold",
        )
    axes.set_yticks(places, [_name(row) for row in table.rows])
    axes.set_ylim(len(table.rows) - 0.4, -0.6)
    axes.margins(x=0.07)
    axes.set_xlabel("Elo, with 95% intervals")
    axes.set_title("Ratings", fontsize=11, color=FAINT)
    axes.grid(axis="x", color=LINE)
    axes.set_axisbelow(True)
    axes.tick_params(length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)


def _draw_cells(axes: Axes, table: CrossTable) -> None:
    from matplotlib.colors import LinearSegmentedColormap  # noqa: PLC0415

    size = len(table.rows)
    colours = LinearSegmentedColormap.from_list("score", ["#f4c9a8", "#ffffff", "#a9cdf0"])
    # Against itself a player has no games, and the score of none is a half: white.
    shares = [[tally.score for tally in row.against] for row in table.rows]
    axes.imshow(shares, cmap=colours, vmin=0, vmax=1, aspect="auto")
    for i, row in enumerate(table.rows):
        for j, tally in enumerate(row.against):
            if i == j:
                axes.text(j, i, "·", ha="center", va="center", color=FAINT)
            elif size <= CELLS_WITH_FIGURES:
                axes.text(j, i, f"{tally.score:.0%}", ha="center", va="center", fontsize=9.5)
    axes.set_xticks(range(size), [str(place) for place in range(1, size + 1)])
    axes.set_xticks([place - 0.5 for place in range(1, size)], minor=True)
    axes.set_yticks([place - 0.5 for place in range(1, size)], minor=True)
    axes.grid(which="minor", color="white", linewidth=2)
    axes.tick_params(which="both", length=0, labelleft=False)
    axes.set_xlabel("against number")
    axes.set_title("Score of the row", fontsize=11, color=FAINT)
    axes.spines[:].set_visible(False)


def _name(row: Row) -> str:
    return row.player
