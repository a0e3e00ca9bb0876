"""``glaux soak``: everything at once for hours."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer
from rich.live import Live

from glaux.arena.chart import check_chart
from glaux.cli.arguments import Json
from glaux.cli.output import lines_now_and_then, make_console, print_json
from glaux.cli.soak_display import dashboard, plain_line, print_summary
from glaux.errors import InvalidParameter
from glaux.soak.chart import write_chart
from glaux.soak.kinds import choose
from glaux.soak.soak import CHART_FILE, PARTS, Soak, SoakOptions
from glaux.words import plural

REFRESH = 2
ALL_PARTS = ",".join(PARTS)
LINE_EVERY = 60.0
"""seconds between two lines where there is no terminal"""

Hours = Annotated[
    float | None, typer.Option("--hours", metavar="H", help="How many hours to run.", show_default="0.25")
]
Minutes = Annotated[
    float | None,
    typer.Option("--minutes", "-m", metavar="M", help="How many minutes to run.", show_default=False),
]
Kills = Annotated[
    int | None,
    typer.Option("--kills", metavar="N", min=1, help="Stop after this many kills.", show_default=False),
]
PartNames = Annotated[
    str,
    typer.Option(
        "--parts",
        metavar="NAMES",
        help="What to run: [bold]trainings[/] (training runs that are killed), [bold]steady[/] (one that "
        "is not), [bold]matches[/], [bold]serve[/] (with clients).",
    ),
]
KindNames = Annotated[
    list[str] | None,
    typer.Option(
        "--training",
        metavar="KIND",
        help="Only this kind of training run, such as [bold]athenan-processes[/]. Can be repeated.",
        show_default="all",
    ),
]
AtOnce = Annotated[
    int,
    typer.Option("--trainings", metavar="N", min=1, help="How many of the killed runs train in parallel."),
]
Clients = Annotated[int, typer.Option("--clients", metavar="N", min=1, help="Number of clients.")]
Pause = Annotated[float, typer.Option("--pause", metavar="S", min=0, help="Mean seconds between clicks.")]
KillEvery = Annotated[
    float,
    typer.Option("--kill-every", metavar="S", min=0, help="Mean seconds until a run is killed."),
]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="An empty directory for the output.")]
Seed = Annotated[int, typer.Option("--seed", metavar="S", min=0, help="The random seed.")]


def soak(
    hours: Hours = None,
    minutes: Minutes = None,
    kills: Kills = None,
    parts: PartNames = ALL_PARTS,
    training: KindNames = None,
    trainings: AtOnce = 1,
    clients: Clients = 2,
    pause: Pause = 1.0,
    kill_every: KillEvery = 5.0,
    out: Out = Path("soak"),
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Train, play, serve and kill for hours, and check that nothing is lost or leaks.

    Training runs of every kind take turns. Each is killed (SIGKILL) at a random moment, its directory is
    checked, and it is resumed when its turn comes again. At the same time one run trains without being
    killed, matches are played with the value functions that are being trained, and clients use a server.

    After each kill the checkpoints must be whole, and every row of metrics and matches up to the newest
    checkpoint must be there exactly once. Memory, descriptors, threads and files of every part are sampled
    into samples.csv and drawn in soak.png.

    The exit code is 1 if anything was lost, left behind or leaked, or if anything crashed (leaks are judged
    after 20 minutes). Ctrl-C or SIGTERM stops it early, with the same report.

    \b
    Examples:
      glaux soak --minutes 3                     a first look
      glaux soak --hours 2 --out soak-2h         hundreds of kills
      glaux soak --kills 1000 --parts trainings --kill-every 2
      glaux soak --kills 100 --parts trainings --training athenan-network
    """
    check_chart()
    chosen = choose(training or [])
    seconds = _seconds(hours, minutes, kills)
    names = tuple(name.strip() for name in parts.split(",") if name.strip())
    options = SoakOptions(
        seconds=seconds,
        kinds=tuple(chosen),
        kills=kills,
        parts=names,
        trainings=trainings,
        clients=clients,
        pause=pause,
        kill_every=kill_every,
        seed=seed,
    )
    running = Soak(out, options)
    console = make_console(stderr=json)
    if console.is_terminal:
        with Live(console=console, refresh_per_second=REFRESH, get_renderable=lambda: dashboard(running)):
            summary = running.go(lambda _: None)
    else:
        summary = running.go(lines_now_and_then(console, plain_line, LINE_EVERY))
    minutes, faults = round(summary.seconds / 60), len(summary.faults)
    found = f"{plural(summary.kills, 'kill')}, {plural(faults, 'fault')}"
    title = f"Soak of {plural(minutes, 'minute')}: {found}"
    write_chart(out / CHART_FILE, running.samples, [kill.seconds for kill in running.ledger.kills], title)
    if json:
        print_json(summary.table())
    else:
        print_summary(console, running, summary)
    if summary.faults:
        raise typer.Exit(1)


def _seconds(hours: float | None, minutes: float | None, kills: int | None) -> float:
    if hours is not None and minutes is not None:
        raise InvalidParameter("Give --hours or --minutes, not both.")
    if hours is None and minutes is None:
        return 900.0 if kills is None else 7 * 86400.0
    seconds = 3600 * hours if hours is not None else 60 * (minutes or 0.0)
    if not 0 < seconds < math.inf:
        raise InvalidParameter("--hours and --minutes must be more than 0 and finite.")
    return seconds
