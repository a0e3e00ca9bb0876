"""``glaux train``: from rules to a player."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live
from rich.markup import escape
from rich.table import Table

from glaux.cli.arguments import GameText
from glaux.cli.output import make_console, print_error, print_json
from glaux.cli.train_display import commands, dashboard, plain_line, summary
from glaux.errors import InvalidParameter
from glaux.learn.config import Config
from glaux.learn.learner import Learner
from glaux.learn.preset import Preset, configure, find_preset, presets
from glaux.learn.registry import change_config, make_learner
from glaux.learn.run import Run
from glaux.learn.training import Status, Training
from glaux.rules.registry import make, parse_game

REFRESH = 4
"""times a second that the display is drawn"""
LINE_EVERY = 10.0
"""seconds between two lines where there is no terminal"""

PresetName = Annotated[
    str, typer.Option("--preset", metavar="P", help="A named configuration; --list shows those of the game.")
]
Minutes = Annotated[
    float | None,
    typer.Option("--minutes", "-m", metavar="M", help="Train so long in all.", show_default="the preset's"),
]
Matches = Annotated[
    int | None,
    typer.Option("--matches", metavar="N", help="Train until so many matches.", show_default=False),
]
RunPath = Annotated[
    Path | None,
    typer.Option("--run", metavar="DIR", help="Where the run goes.", show_default="runs/GAME"),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the run in --run.")]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        "-s",
        metavar="KEY=VALUE",
        help="Change a setting, as [bold]search.seconds=0.5[/] or [bold]value.count=60[/]; can be repeated.",
        show_default=False,
    ),
]
Seed = Annotated[int | None, typer.Option("--seed", metavar="S", help="Short for --set seed=S.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Print the resolved configuration as JSON, and stop.")
]
ShowSettings = Annotated[
    bool, typer.Option("--settings", help="List the settings that --set can change, and stop.")
]
ListPresets = Annotated[bool, typer.Option("--list", help="List the presets of the game, and stop.")]


def train(
    game: GameText,
    preset: PresetName = "laptop",
    minutes: Minutes = None,
    matches: Matches = None,
    run: RunPath = None,
    resume: Resume = False,
    settings: Settings = None,
    seed: Seed = None,
    dry_run: DryRun = False,
    show_settings: ShowSettings = False,
    list_presets: ListPresets = False,
) -> None:
    """Learn to play a game from its rules alone, by playing against itself.

    The run is a directory with checkpoints, figures and matches.
    Ctrl-C ends a training at any time and saves it; --resume goes on from there
    as if it had not stopped.

    \b
    Examples:
      glaux train connect_four --minutes 5
      glaux train hex:size=7 --run runs/hex7 --set value.count=100 --set workers=1
      glaux train hex:size=7 --run runs/hex7 --resume --minutes 20
      glaux train othello --list
      glaux train othello --preset tcl --settings
    """
    console = make_console()
    if list_presets:
        _print_presets(console, game)
        return
    if minutes is not None and minutes <= 0:
        raise InvalidParameter(f"--minutes must be more than 0, not {minutes:g}.")
    if matches is not None and matches < 1:
        raise InvalidParameter(f"--matches must be at least 1, not {matches}.")
    chosen = find_preset(game, preset)
    goal = _goal(chosen, minutes, matches)
    if resume:
        place = _found(game, run, settings, seed)
        if dry_run:
            print_json(place.config.write())
            return
        with place.locked():  # before its checkpoint is read: another process may be about to write one
            _go(console, place, place.resume(), *goal)
    else:
        changes = [*(settings or []), *([] if seed is None else [f"seed={seed}"])]
        config = change_config(configure(game, chosen), changes)
        if dry_run:
            print_json(config.write())
            return
        if show_settings:
            _print_settings(console, config)
            return
        learner = make_learner(config)
        _go(console, Run.create(run or _free_path(config), config), learner, *goal)


def _goal(preset: Preset, minutes: float | None, matches: int | None) -> tuple[float | None, int | None]:
    """Seconds and matches of the training, by default those of the preset."""
    if minutes is None and matches is None:
        minutes, matches = (None, preset.matches) if preset.matches else (preset.minutes, None)
    return minutes * 60 if minutes is not None else None, matches


def _found(game: str, run: Path | None, settings: list[str] | None, seed: int | None) -> Run:
    """The run to resume."""
    if run is None:
        raise InvalidParameter("Say which run to resume: --run DIR.")
    if settings or seed is not None:
        raise InvalidParameter("A run is resumed with the settings it has: leave --set and --seed out.")
    place = Run.open(run)
    config = place.config
    name, given = parse_game(game)
    if name != make(config.game).name or (given and make(game).text != config.game):
        raise InvalidParameter(f"'{run}' is a run of {config.game}, not of {game}.")
    return place


def _free_path(config: Config) -> Path:
    """runs/NAME, or with a number if that is taken."""
    name = re.sub("[:,/]+", "-", make(config.game).label).replace("=", "")
    folder = Path("runs")
    path, number = folder / name, 1
    while path.exists():
        number += 1
        path = folder / f"{name}-{number}"
    return path


def _print_presets(console: Console, game: str) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("preset", style="bold", no_wrap=True)
    table.add_column("minutes", justify="right")
    table.add_column("matches", justify="right")
    table.add_column("what it is", overflow="fold")
    for name, preset in presets(parse_game(game)[0]).items():
        matches = f"{preset.matches:,}" if preset.matches else ""
        table.add_row(name, f"{preset.minutes:g}", matches, preset.about)
    console.print(table)


def _print_settings(console: Console, config: Config) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("setting", style="bold", no_wrap=True)
    table.add_column("is", overflow="fold")
    table.add_column("what it is", overflow="fold")
    for name, value, about in config.described():
        shown = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        table.add_row(name, escape(shown), escape(about))
    console.print(table)


def _go(console: Console, run: Run, learner: Learner, seconds: float | None, matches: int | None) -> None:
    observer = None if console.is_terminal else _Lines(console)
    training = Training(run, learner, seconds=seconds, matches=matches, observer=observer)
    if console.is_terminal:
        with Live(
            console=console,
            refresh_per_second=REFRESH,
            get_renderable=lambda: dashboard(run, learner, training.status),
        ):
            code = _until_done(training)
    else:
        code = _until_done(training)
    console.print()
    console.print(summary(learner, training.status, interrupted=code != 0))
    console.print()
    for line in commands(run, learner):
        console.print(line, soft_wrap=True)  # to be copied
    if training.status.failure:
        print_error(InvalidParameter(f"The strength could not be measured: {training.status.failure}"))
    if code or training.status.failure:
        raise typer.Exit(code or 1)


def _until_done(training: Training) -> int:
    """The exit code: 0, or that of the signal that has stopped it."""
    try:
        training.go()
    except KeyboardInterrupt:
        return 130
    except SystemExit as signal:
        return int(str(signal.code))
    return 0


class _Lines:
    """Progress for a file or a pipe: a line now and then."""

    def __init__(self, console: Console) -> None:
        self.console, self.last = console, 0.0

    def __call__(self, status: Status) -> None:
        now = time.monotonic()
        if now - self.last >= LINE_EVERY:
            self.last = now
            self.console.print(plain_line(status))
