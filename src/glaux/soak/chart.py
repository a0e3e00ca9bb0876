"""The picture of a soak: memory, descriptors and threads of each part over time, and when it was killed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from glaux.arena.chart import FAINT, INK, LINE, STYLE
from glaux.soak.growth import MEGABYTE, Sample, by_part, points_of
from glaux.words import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#1f5fa8", "#d1602b", "#2a8f5c", "#8b4fb0", "#b8921c", "#c2417c", "#4a9fb5", "#7a5230", "#5d6b7a")
FIGURES: tuple[tuple[str, Callable[[Sample], float], float], ...] = (
    ("memory, MB", lambda sample: sample.usage.memory / MEGABYTE, 10.0),
    ("descriptors", lambda sample: sample.usage.descriptors, 0.0),
    ("threads", lambda sample: sample.usage.threads, 0.0),
    ("files, MB", lambda sample: sample.disk / MEGABYTE, 0.1),
)
"""what is drawn, and the least of it; if that is not 0 the scale is logarithmic, as parts differ much"""


def write_chart(path: Path, samples: Sequence[Sample], kills: Sequence[float], title: str) -> None:
    """Draw what the parts used; ``kills`` are the seconds at which a training run was killed."""
    from matplotlib import rc_context  # noqa: PLC0415 (optional, and slow to load)
    from matplotlib.figure import Figure  # noqa: PLC0415

    parts = by_part(samples)
    unit, name = (3600.0, "hours") if samples and samples[-1].seconds > 5400 else (60.0, "minutes")
    with rc_context(STYLE):
        figure = Figure(figsize=(12, 11), layout="constrained")
        panels = figure.subplots(len(FIGURES), 1, sharex=True, height_ratios=[3, 2, 2, 2])
        for axes, (label, figure_of, least) in zip(panels, FIGURES, strict=True):
            for number, (part, programs) in enumerate(parts.items()):
                points = points_of(programs)
                figures = [figure_of(point) for point in points]
                if max(figures) > 0:
                    several = len(programs) > 1
                    axes.plot(
                        [point.seconds / unit for point in points],
                        figures,
                        color=COLOURS[number % len(COLOURS)],
                        linestyle="" if several else "-",
                        linewidth=1.6,
                        marker="." if several else "",
                        markersize=4,
                        label=f"{part}, each of {len(programs)} at most" if several else part,
                    )
            _dress(axes, label, least)
        _mark(panels[0], [kill / unit for kill in kills])
        panels[-1].set_xlabel(name)
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False, markerscale=3)
        figure.suptitle(title, fontweight="bold", fontsize=13)
        figure.savefig(path, dpi=130, facecolor="white")


def _dress(axes: Axes, label: str, least: float) -> None:
    from matplotlib.ticker import FuncFormatter, NullFormatter  # noqa: PLC0415

    axes.set_ylabel(label)
    if least:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_ylim(bottom=least)
    axes.grid(color=LINE)
    axes.set_axisbelow(True)
    axes.tick_params(length=0)
    axes.spines[["top", "right"]].set_visible(False)


def _mark(axes: Axes, kills: Sequence[float]) -> None:
    """A small line for each kill at the top of a panel."""
    if kills:
        axes.vlines(kills, 0.97, 1.0, transform=axes.get_xaxis_transform(), color=INK, linewidth=0.6)
        axes.text(0.0, 1.01, plural(len(kills), "kill"), transform=axes.transAxes, color=FAINT, fontsize=9)
