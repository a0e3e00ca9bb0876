"""``glaux experiment``: the papers' experiments, with one command each."""

from __future__ import annotations

import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from glaux.cli.arguments import Json
from glaux.cli.contest_options import On, Seed, Workers
from glaux.cli.output import make_console, make_table, print_json
from glaux.errors import InvalidParameter
from glaux.experiments.directory import ExperimentDirectory
from glaux.experiments.pairings import estimated_seconds
from glaux.experiments.plan import QUICK, Plan, make_plan, make_quick
from glaux.experiments.report import FIGURES, HTML, MARKDOWN, STATISTICS, p_text, write_report
from glaux.experiments.running import Step, run_experiment
from glaux.experiments.sharing import take_trained
from glaux.experiments.shipped import find_experiment, find_text, shipped
from glaux.experiments.summary import Outcome
from glaux.machine import cores
from glaux.words import plural

FOLDER = Path("experiments")
LINE_EVERY = 10.0
"""seconds between two lines where there is no terminal"""

Name = Annotated[
    str | None,
    typer.Argument(metavar="NAME", help="An experiment, or a TOML file.", show_default=False),
]
ScaleName = Annotated[
    str | None,
    typer.Option("--scale", metavar="S", help="How large: laptop or paper.", show_default="the file's first"),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="DIR", help="The directory of the experiment.", show_default="experiments/NAME-SCALE"
    ),
]
Games = Annotated[
    list[str] | None,
    typer.Option(
        "--games", metavar="GAME", help="Only these games. Can be repeated.", show_default="the file's"
    ),
]
Repetitions = Annotated[
    int | None,
    typer.Option(
        "--repetitions", metavar="N", min=1, help="How often each is trained.", show_default="the file's"
    ),
]
Minutes = Annotated[
    float | None,
    typer.Option("--minutes", metavar="M", help="Minutes of each training run.", show_default="the file's"),
]
Matches = Annotated[
    int | None,
    typer.Option("--matches", metavar="N", help="Matches of each training run.", show_default="the file's"),
]
Quick = Annotated[
    bool,
    typer.Option(
        "--quick",
        help="A rough look: one game, 2 repetitions, 3 seconds of training each, one game of each pair.",
    ),
]
Trained = Annotated[
    Path | None,
    typer.Option(
        "--trained",
        metavar="DIR",
        help="First take the training runs that the experiment in DIR has in common with this one.",
        show_default=False,
    ),
]
Show = Annotated[bool, typer.Option("--show", help="Print the file, to be copied and changed, and exit.")]
Report = Annotated[bool, typer.Option("--report", help="Only report what is there so far.")]


def experiment(
    name: Name = None,
    scale: ScaleName = None,
    out: Out = None,
    games: Games = None,
    repetitions: Repetitions = None,
    minutes: Minutes = None,
    matches: Matches = None,
    quick: Quick = False,
    seed: Seed = 0,
    workers: Workers = None,
    on: On = None,
    trained: Trained = None,
    show: Show = False,
    report: Report = False,
    json: Json = False,
) -> None:
    """Repeat an experiment from the papers, and say which of its findings hold.

    Without a name, list the experiments. The directory holds all training runs, games, statistics, figures
    and a report. Stop it at any moment; the same command continues. You can add games or repetitions later.

    \b
    Examples:
      glaux experiment
      glaux experiment table3
      glaux experiment table3 --quick
      glaux experiment table3 --games hex:size=4 --repetitions 2 --minutes 0.05
      glaux experiment table3 --show > my.toml
      glaux experiment play --trained experiments/table3-laptop
      glaux experiment my.toml --out runs/mine --workers 8
    """
    console = make_console()
    if name is None:
        _list(console, json)
        return
    known, text = find_text(name)
    if show:
        sys.stdout.write(text)
        return
    if minutes is not None and matches is not None:
        raise InvalidParameter("A training run is limited by --minutes or by --matches: give one of them.")
    _, read = find_experiment(name)
    if quick:
        read, first = make_quick(read, scale)
        games = games or first
        repetitions = repetitions or int(QUICK["repetitions"])
        minutes = minutes or (None if matches else QUICK["minutes"])
    plan = make_plan(
        known,
        read,
        scale,
        games=games or (),
        repetitions=repetitions,
        minutes=minutes,
        matches=matches,
        seed=seed,
    )
    place = out or FOLDER / f"{known}-{plan.scale_name}{'-quick' if quick else ''}"
    if report and not place.is_dir():
        raise InvalidParameter(f"There is no experiment in '{place}' to report.")
    directory = ExperimentDirectory.open(place, plan, text)
    with directory.locked():
        if trained is not None:
            taken = plural(take_trained(directory, trained), "training run")
            make_console(stderr=True).print(f"{taken} taken from {trained}.", soft_wrap=True)
        if not report:
            _run(make_console(stderr=True), directory, workers, on)
        outcome = Outcome(directory)
        trouble = write_report(directory.path, outcome)
    if json:
        print_json({**outcome.summary(), "directory": str(directory.path)})
        return
    _print_claims(console, outcome)
    shown = ", ".join([MARKDOWN, HTML, STATISTICS, *([] if trouble else [f"{FIGURES}/"])])
    console.print(f"In {directory.path}: {shown}.", soft_wrap=True)
    if trouble:
        console.print(f"No figures: {trouble}", markup=False)


def _list(console: Console, json: bool) -> None:
    rows = []
    for name in shipped():
        _, read = find_experiment(name)
        plan = make_plan(name, read, check=False)
        seconds = estimated_seconds(plan, cores())
        rows.append(
            {
                "name": name,
                "title": read.title,
                "source": read.source,
                "scales": list(read.scales),
                "games": len(plan.games),
                "trainings": len(plan.trainings()),
                "seconds": None if seconds is None else round(seconds),
            }
        )
    if json:
        print_json(rows)
        return
    table = make_table()
    table.add_column("experiment", style="bold", no_wrap=True)
    table.add_column("what is compared", overflow="fold")
    table.add_column("where", overflow="fold", max_width=40)
    for column in ("games", "runs", "time"):
        table.add_column(column, justify="right", no_wrap=True)
    for row in rows:
        found = row["seconds"]
        about = duration(float(str(found))) if found is not None else ""
        names = [str(row[key]) for key in ("name", "title", "source", "games", "trainings")]
        table.add_row(*names, about)
    console.print(table)
    console.print(f"Times are estimates at the laptop scale on {plural(cores(), 'core')}.", soft_wrap=True)


def _run(console: Console, directory: ExperimentDirectory, workers: int | None, on: str | None) -> None:
    """Run what is missing, with its progress before the eyes."""
    plan = directory.plan
    seconds = estimated_seconds(plan, workers or cores())
    if seconds is not None:
        done = f"{len(directory.trained())} of {plural(len(plan.trainings()), 'training run')}"
        begun = f" ({done} already done)" if directory.trained() else ""
        console.print(f"This takes about {duration(seconds)} in all{begun}.", soft_wrap=True)
    try:
        with _Display(console, plan) as display, closing(run_experiment(directory, workers, on)) as steps:
            for step in steps:
                display(step)
    except KeyboardInterrupt:
        sys.stderr.write(f"Stopped: run the same command again to continue in {directory.path}.\n")
        raise


class _Display:
    """A bar for each part on a terminal, a line now and then elsewhere."""

    def __init__(self, console: Console, plan: Plan) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self.progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self.console, self.last = console, 0.0
        self.tasks: dict[str, TaskID] = {}

    def __enter__(self) -> _Display:
        self.progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.progress.stop()

    def __call__(self, step: Step) -> None:
        if step.part not in self.tasks:
            self.tasks[step.part] = self.progress.add_task(step.part, total=step.total)
        self.progress.update(self.tasks[step.part], completed=step.done)
        now = time.monotonic()
        if not self.console.is_terminal and (step.done == step.total or now - self.last >= LINE_EVERY):
            self.last = now
            self.console.print(f"{step.part}: {step.done} of {step.total}")


def _print_claims(console: Console, outcome: Outcome) -> None:
    if not outcome.verdicts:
        return
    table = make_table(outcome.plan.experiment.title)
    table.add_column("claim of the paper", overflow="fold")
    table.add_column("p", justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True, style="bold")
    for verdict in outcome.verdicts:
        table.add_row(verdict.claim.text, "" if verdict.p is None else p_text(verdict.p), verdict.verdict)
    console.print(table)


def duration(seconds: float) -> str:
    """About how long, for people."""
    for unit, name in ((86400 * 365, "years"), (86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:.0f} {name}"
    return plural(max(1, round(seconds)), "second")
