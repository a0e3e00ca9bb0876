"""What a person sees of a soak: while it runs, and at its end."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from glaux.cli.figures import figures_table
from glaux.cli.train_display import clock
from glaux.soak.growth import JUDGED_SECONDS, MEGABYTE, Grown, Growth
from glaux.soak.soak import CHART_FILE, KILLS_FILE, SAMPLES_FILE, Soak, Summary
from glaux.words import plural

SHOWN_FAULTS = 20


def dashboard(soak: Soak) -> RenderableType:
    """The display of a running soak."""
    seconds, goal = soak.ledger.seconds, soak.options.seconds
    done = [seconds / goal]
    if soak.options.kills is not None:
        done.append(len(soak.ledger.kills) / soak.options.kills)
    bar = Table.grid(padding=(0, 1))
    share = min(1.0, max(done))
    bar.add_row(ProgressBar(total=1.0, completed=share, width=40), f"{share:4.0%}", clock(seconds))
    return Group(
        Text.assemble(("Soak ", "bold"), f"in {soak.place.path}"),
        bar,
        _parts(soak),
        _using(soak),
        _faults(soak.ledger.faults),
    )


def _parts(soak: Soak) -> RenderableType:
    grid = Table.grid(padding=(0, 3))
    for title, line in {part.title: part.line() for part in soak.parts}.items():
        grid.add_row(Text(title, style="bold"), line)
    return grid


def _using(soak: Soak) -> RenderableType:
    table = figures_table(["part"], ["processes", "memory", "descriptors", "threads", "files"])
    at = soak.ledger.seconds
    for name, sample in soak.latest().items():
        used, style = sample.usage, "" if at - sample.seconds < 3 * soak.between else "dim"
        table.add_row(
            Text(name, style=style),
            str(used.processes),
            f"{used.memory / MEGABYTE:,.0f} MB",
            str(used.descriptors),
            str(used.threads),
            f"{sample.disk / MEGABYTE:,.1f} MB" if sample.disk else "",
            style=style,
        )
    return table


def _faults(faults: list[str]) -> RenderableType:
    if not faults:
        return Text("nothing lost, nothing crashed", style="green")
    return Text("\n".join(faults[-SHOWN_FAULTS:]), style="red")


def plain_line(soak: Soak) -> str:
    """The state of a soak in a line, with the newest fault."""
    parts = "; ".join(f"{title}: {line}" for title, line in {p.title: p.line() for p in soak.parts}.items())
    faults = soak.ledger.faults
    newest = f", the newest: {faults[-1]}" if faults else ""
    return f"{clock(soak.ledger.seconds)}  {parts}; faults: {len(faults)}{newest}"


def print_summary(console: Console, soak: Soak, summary: Summary) -> None:
    """The closing table and the verdict."""
    head = Table.grid(padding=(0, 3))
    head.add_row(Text("stopped" if soak.interrupted else "done", style="bold"), clock(summary.seconds))
    for title, line in summary.lines.items():
        head.add_row(Text(title, style="bold"), line)
    for kind, count in summary.by_kind.items():
        if count:
            head.add_row("", f"{plural(count, 'kill')} of {kind}")
    console.print(head)
    console.print()
    console.print(_growth_table(summary.grown))
    console.print()
    if summary.seconds < JUDGED_SECONDS:
        console.print(f"Leaks are judged after {clock(JUDGED_SECONDS)}.", style="dim")
    place = soak.place.path
    console.print(f"{place / SAMPLES_FILE}, {KILLS_FILE}, {CHART_FILE}", soft_wrap=True)
    if summary.faults:
        console.print(Text(f"{plural(len(summary.faults), 'fault')}:", style="bold red"))
        for fault in summary.faults:
            console.print(Text(fault), soft_wrap=True)
    else:
        console.print(
            Text("Nothing was lost, left behind or leaked, and nothing crashed.", style="bold green")
        )


def _growth_table(rows: list[Grown]) -> Table:
    figures = ["memory, MB", "at most", "MB/h", "descriptors", "threads", "files, MB", "MB/h"]
    table = figures_table(["part"], ["programs", *figures])
    for row in rows:
        memory, disk = row.memory, row.disk
        table.add_row(
            row.part,
            str(row.programs),
            _change(memory, MEGABYTE),
            f"{memory.most / MEGABYTE:.0f}",
            f"{memory.slope / MEGABYTE:+,.1f}",
            _change(row.descriptors),
            _change(row.threads),
            _change(disk, MEGABYTE) if disk.most else "",
            f"{disk.slope / MEGABYTE:+,.1f}" if disk.most else "",
        )
    return table


def _change(growth: Growth, unit: float = 1.0) -> str:
    """From the second quarter to the last."""
    first, last = growth.first / unit, growth.last / unit
    return f"{first:.0f}" if round(first) == round(last) else f"{first:.0f} to {last:.0f}"
