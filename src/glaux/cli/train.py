"""``glaux train``: from rules to a player."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live
from rich.markup import escape

from glaux.cli.arguments import GameText, Trust, is_trusted
from glaux.cli.contest_options import On
from glaux.cli.output import lines_now_and_then, make_console, make_table, print_error, print_json
from glaux.cli.train_display import commands, dashboard, plain_line, summary
from glaux.errors import GlauxError, InvalidParameter
from glaux.learn.config import Config, value_text
from glaux.learn.learner import Learner
from glaux.learn.listing import RUNS, find_runs
from glaux.learn.preset import Preset, configure, find_preset, presets
from glaux.learn.registry import change_config, make_learner
from glaux.learn.run import Run, free_path
from glaux.learn.sizing import fit, is_slow
from glaux.learn.training import Training
from glaux.rules.registry import is_named, make, parse_game, runs_code

REFRESH = 4
"""times a second that the display is drawn"""
LINE_EVERY = 10.0
"""seconds between two lines where there is no terminal"""

PresetName = Annotated[
    str,
    typer.Option("--preset", metavar="P", help="A named set of settings; --list shows the game's presets."),
]
Minutes = Annotated[
    float | None,
    typer.Option(
        "--minutes", "-m", metavar="M", help="Total training time in minutes.", show_default="the preset's"
    ),
]
Matches = Annotated[
    int | None,
    typer.Option("--matches", metavar="N", help="Stop after this many matches.", show_default=False),
]
RunPath = Annotated[
    Path | None,
    typer.Option("--run", metavar="DIR", help="The directory of the run.", show_default="runs/GAME"),
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Continue the run in --run, or the game's newest run.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        "-s",
        metavar="KEY=VALUE",
        help="Change a setting: [bold]search.seconds=0.5[/], [bold]value.count=60[/]. Can be repeated.",
        show_default=False,
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="W",
        min=1,
        max=1024,
        help="Short for --set workers=W: matches played in parallel.",
        show_default=False,
    ),
]
Seed = Annotated[int | None, typer.Option("--seed", metavar="S", help="Short for --set seed=S.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the full configuration as JSON and exit.")]
ShowSettings = Annotated[
    bool, typer.Option("--settings", help="List the settings that --set can change and exit.")
]
ListPresets = Annotated[bool, typer.Option("--list", help="List the presets of the game and exit.")]


def train(
    ctx: typer.Context,
    game: GameText,
    preset: PresetName = "laptop",
    minutes: Minutes = None,
    matches: Matches = None,
    run: RunPath = None,
    resume: Resume = False,
    settings: Settings = None,
    seed: Seed = None,
    workers: Workers = None,
    on: On = None,
    dry_run: DryRun = False,
    show_settings: ShowSettings = False,
    list_presets: ListPresets = False,
    trust: Trust = None,
) -> None:
    """Learn to play a game from its rules alone, by playing against itself.

    A training run is a directory with checkpoints, metrics and matches. Ctrl-C saves and stops it at any
    time; --resume continues as if it had never stopped.

    \b
    Examples:
      glaux train connect_four --minutes 5
      glaux train hex:size=7 --run runs/hex7 --set value.count=100 --set workers=1
      glaux train hex:size=7 --run runs/hex7 --resume --minutes 20
      glaux train hex:size=11 --on ray://cluster:10001 --workers 64
      glaux train othello --list
      glaux train othello --preset tcl --settings
    """
    console, begun = make_console(), ctx.obj or time.perf_counter()
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
        given = [*(settings or []), *(["workers"] if workers is not None and on is None else [])]
        place = _found(game, run, given, seed, trust)
        if dry_run:
            print_json(place.config.write())
            return
        with place.locked():  # before its checkpoint is read: another process may be about to write one
            _go(console, place, _seated(place.resume(), on, workers), *goal, begun)
    else:
        short = {"seed": seed, "workers": workers}
        changes = [
            *(settings or []),
            *(f"{name}={given}" for name, given in short.items() if given is not None),
        ]
        config = configure(game, chosen)
        if goal[0] is not None:
            measured = is_slow(make(config.game)) and not (dry_run or show_settings)
            with _saying(console, "Measuring the speed of the rules ...", measured):
                config = fit(config, goal[0])
        config = change_config(config, changes)
        if dry_run:
            print_json(config.write())
            return
        if show_settings:
            _print_settings(console, config)
            return
        learner = _seated(make_learner(config), on)
        if learner.value.forgotten:
            console.print(
                f"'{config.start_from}' was packed for play, without {learner.value.forgotten}: learning "
                "starts with fresh ones.",
                markup=False,
            )
        _go(console, Run.create(run or free_path(RUNS, config), config), learner, *goal, begun)


def _saying(console: Console, sentence: str, wanted: bool) -> AbstractContextManager[object]:
    """Say what is being done: on a terminal as long as it lasts, elsewhere in a line."""
    if wanted and console.is_terminal:
        return console.status(sentence)
    if wanted:
        console.print(sentence)
    return nullcontext()


def _seated(learner: Learner, on: str | None, workers: int | None = None) -> Learner:
    """The learner, with its workers on a cluster if there is one."""
    if on is not None:
        learner.play_on(on, workers)
    return learner


def _goal(preset: Preset, minutes: float | None, matches: int | None) -> tuple[float | None, int | None]:
    """Seconds and matches of the training, by default those of the preset."""
    if minutes is None and matches is None:
        minutes, matches = (None, preset.matches) if preset.matches else (preset.minutes, None)
    return minutes * 60 if minutes is not None else None, matches


def _found(
    game: str, run: Path | None, settings: list[str] | None, seed: int | None, trust: list[Path] | None
) -> Run:
    """The run to resume."""
    if settings or seed is not None:
        raise InvalidParameter(
            "A run resumes with its own settings: leave out --set and --seed, and use --workers only with "
            "--on."
        )
    run = run or _newest(game)
    place = Run.open(run, game, trust=is_trusted(run, trust))
    if not _is_of(game, place.config.game):
        raise InvalidParameter(f"'{run}' is a run of {place.config.game}, not of {game}.")
    return place


def _is_of(game: str, known: str) -> bool:
    """Whether the GAME that was typed is that of a run."""
    name, given = parse_game(game)
    if runs_code(known):
        return is_named(make(game), known)
    return name == make(known).name and (not given or make(game) == make(known))


def _newest(game: str) -> Path:
    """The run of a game that changed last, of those that are where runs go."""
    for listed in find_runs(RUNS):
        with suppress(GlauxError):  # of a game that is not there any more
            if _is_of(game, listed.game):
                return listed.path
    raise InvalidParameter(f"There is no run of {game} in '{RUNS}': name the run to resume with --run DIR.")


def _print_presets(console: Console, game: str) -> None:
    table = make_table()
    table.add_column("preset", style="bold", no_wrap=True)
    table.add_column("minutes", justify="right")
    table.add_column("matches", justify="right")
    table.add_column("description", overflow="fold")
    for name, preset in presets(parse_game(game)[0]).items():
        matches = f"{preset.matches:,}" if preset.matches else ""
        table.add_row(name, f"{preset.minutes:g}", matches, preset.about)
    console.print(table)


def _print_settings(console: Console, config: Config) -> None:
    table = make_table()
    table.add_column("setting", style="bold", no_wrap=True)
    table.add_column("value", overflow="fold")
    table.add_column("meaning", overflow="fold")
    for name, value, about in config.described():
        table.add_row(name, escape(value_text(value)), escape(about))
    console.print(table)


def _go(
    console: Console,
    run: Run,
    learner: Learner,
    seconds: float | None,
    matches: int | None,
    begun: float,
) -> None:
    observer = None if console.is_terminal else lines_now_and_then(console, plain_line, LINE_EVERY)
    training = Training(run, learner, seconds=seconds, matches=matches, observer=observer, begun=begun)
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
