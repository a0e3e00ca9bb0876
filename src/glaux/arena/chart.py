"""The chart of a tournament: the ladder of ratings with their intervals, and who scored what on whom.

matplotlib is an optional dependency, because a tournament is complete without a picture.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glaux.arena.ratings import Rating
from glaux.arena.report import CrossTable, CrossTableRow
from glaux.errors import MissingExtra
from glaux.words import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FILES = ("ratings.png", "ratings.svg")
INK, FAINT, LINE, DOT, BAR = "#1c2733", "#5d6b7a", "#dfe4ea", "#1f5fa8", "#8fb3dc"
WIDE_NAME = 40
"""Letters of a player's text for which there is room."""
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
    columns = 0.62 * max(players, 3)
    figure = Figure(figsize=(7.2 + columns, 1.6 + 0.55 * players), layout="constrained")
    ladder, cells = figure.subplots(1, 2, sharey=True, width_ratios=[5.4, columns])
    _draw_ladder(ladder, table)
    _draw_cells(cells, table)
    tournament = table.tournament
    figure.suptitle(
        f"{tournament.game.spec.title}: {players} players, {plural(tournament.games, 'game')} per pair",
        fontweight="bold",
        fontsize=13,
    )
    return figure


def _draw_ladder(axes: Axes, table: CrossTable) -> None:
    ratings = [row.rating for row in table.rows]
    left, right = _limits(ratings)
    inset = 0.012 * (right - left)
    for place, rating in enumerate(ratings):
        ends = (
            left + inset if rating.open_below else rating.low,
            right - inset if rating.open_above else rating.high,
        )
        axes.plot(ends, [place, place], color=BAR, linewidth=3, solid_capstyle="butt", zorder=2)
        marks = ("<" if rating.open_below else "|", ">" if rating.open_above else "|")
        for end, mark in zip(ends, marks, strict=True):
            size, width = (13, 2.6) if mark == "|" else (9, 0)
            axes.plot(end, place, mark, color=BAR, markersize=size, markeredgewidth=width)
        axes.plot(rating.elo, place, "o", color=DOT, markersize=6.5, zorder=3)
        axes.annotate(
            f"{rating.elo:+.0f}".replace("-", "\N{MINUS SIGN}"),
            (rating.elo, place),
            xytext=(0, 9),
            textcoords="offset points",
            ha="center",
            fontweight="bold",
        )
    axes.set_xlim(left, right)
    axes.set_yticks(range(len(ratings)), [f"{_name(row)}   {i}" for i, row in enumerate(table.rows, 1)])
    axes.set_ylim(len(ratings) - 0.5, -0.5)
    is_open = any(rating.open_below or rating.open_above for rating in ratings)
    arrows = " (arrows: unbounded)" if is_open else ""
    axes.set_xlabel(f"Elo with 95% intervals{arrows}")
    axes.set_title("Ratings", fontsize=11, color=FAINT)
    axes.grid(axis="x", color=LINE)
    axes.set_axisbelow(True)
    axes.tick_params(which="both", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)


def _limits(ratings: list[Rating]) -> tuple[float, float]:
    """The ends of the axis: all the ratings are inside, and the ends of intervals that are not open."""
    inside = [rating.elo for rating in ratings]
    inside += [rating.low for rating in ratings if not rating.open_below]
    inside += [rating.high for rating in ratings if not rating.open_above]
    room = 0.1 * max(max(inside) - min(inside), 100.0)
    return min(inside) - room, max(inside) + room


def _draw_cells(axes: Axes, table: CrossTable) -> None:
    from matplotlib.colors import LinearSegmentedColormap  # noqa: PLC0415
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    size = len(table.rows)
    colours = LinearSegmentedColormap.from_list("score", ["#f4c9a8", "#ffffff", "#a9cdf0"])
    # Against itself a player has no games, and the score of none is a half: white.
    shares = [[tally.score for tally in row.against] for row in table.rows]
    axes.imshow(shares, cmap=colours, vmin=0, vmax=1, aspect="auto")
    for i, row in enumerate(table.rows):
        for j, tally in enumerate(row.against):
            if i == j:
                axes.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, color=LINE, linewidth=0))
            elif size <= CELLS_WITH_FIGURES:
                axes.text(j, i, f"{100 * tally.score:.3g}%", ha="center", va="center", fontsize=9.5)
    axes.set_xticks(range(size), [str(place) for place in range(1, size + 1)])
    axes.set_xticks([place - 0.5 for place in range(1, size)], minor=True)
    axes.set_yticks([place - 0.5 for place in range(1, size)], minor=True)
    axes.grid(which="minor", color="white", linewidth=2)
    axes.tick_params(which="both", length=0, labelleft=False)
    axes.set_title("Score, row against column", fontsize=11, color=FAINT)
    axes.spines[:].set_visible(False)


def _name(row: CrossTableRow) -> str:
    """The player's text, its middle left out if it is too long for the chart."""
    half = WIDE_NAME // 2
    return row.player if len(row.player) <= WIDE_NAME else f"{row.player[:half]}…{row.player[-half:]}"
