"""What the measuring commands share: tasks behind a progress bar, tables of figures, rounded JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from glaux.cli.output import make_console, make_table, print_json
from glaux.errors import InvalidParameter

Task = tuple[str, Callable[[], Any]]
"""What the progress bar says, and what measures: a row or a list of rows."""


def check_seconds(seconds: float) -> None:
    """InvalidParameter unless --seconds is a time to measure for."""
    if not seconds > 0:
        raise InvalidParameter(f"--seconds must be more than 0, not {seconds:g}.")


def report(tasks: list[Task], table: Callable[[Any], Table], json: bool) -> None:
    """Measure, then print the rows: as JSON, or as the table that is made of them."""
    rows = measured(tasks)
    if json:
        print_json([rounded(row) for row in rows])
    else:
        make_console().print(table(rows))


def measured(tasks: list[Task]) -> list[Any]:
    """The rows of all the tasks, behind a progress bar."""
    rows: list[Any] = []
    with _progress() as progress:
        bar = progress.add_task("", total=len(tasks))
        for title, measure in tasks:
            progress.update(bar, description=title)
            found = measure()
            rows += found if isinstance(found, list) else [found]
            progress.advance(bar)
    return rows


def figures_table(texts: Iterable[str], figures: Iterable[str]) -> Table:
    """An empty table: columns of text, the first in bold, then columns of figures.

    Where the terminal is narrow the first column is broken into lines, and nothing else is cut.
    """
    table = make_table()
    for i, title in enumerate(texts):
        table.add_column(
            title, style="" if i else "bold", no_wrap=bool(i), overflow="fold", min_width=None if i else 12
        )
    for title in figures:
        table.add_column(title, justify="right", no_wrap=True)
    return table


def rounded(row: Any) -> dict[str, object]:
    """The JSON of a row, without digits that mean nothing."""
    return {key: round(v, 3) if isinstance(v, float) else v for key, v in asdict(row).items()}


def _progress() -> Progress:
    """A bar on stderr, shown on a terminal only."""
    console = make_console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
