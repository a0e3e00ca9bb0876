"""``glaux replay``: step through a match that was saved, with what a player thinks of it."""

from __future__ import annotations

import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from glaux.cli.arguments import Json, Rules
from glaux.cli.output import make_console, make_table, print_json
from glaux.cli.viewing import Viewing, action_name, player_name
from glaux.errors import InvalidParameter
from glaux.players.evaluation import Evaluation
from glaux.players.registry import make_player
from glaux.records.files import load_records
from glaux.records.record import Record
from glaux.rules.registry import make

File = Annotated[Path, typer.Argument(metavar="FILE", help="A file of saved matches.", show_default=False)]
PlayerText = Annotated[
    str | None,
    typer.Argument(
        metavar="PLAYER",
        help="The player whose evaluations to show, such as [bold]mcts:seconds=0.5[/].",
        show_default=False,
    ),
]
Match = Annotated[int, typer.Option("--match", "-m", metavar="N", help="Number of the match in the file.")]
All = Annotated[bool, typer.Option("--all", help="Print all moves instead of stepping through them.")]
Seed = Annotated[int, typer.Option(metavar="S", help="PLAYER's random seed.")]


def replay(
    file: File,
    player: PlayerText = None,
    *,
    match: Match = 1,
    all_moves: All = False,
    rules: Rules = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Step through a saved match, with a player's evaluation of each position.

    Keys: [bold]n[/], space or → for the next move, [bold]p[/] or ← for the previous one, [bold]f[/] or Home
    for the start, [bold]l[/] or End for the end, [bold]q[/] to quit. Without a terminal, all moves are
    printed.

    \b
    Examples:
      glaux match othello mcts:seconds=0.2 random --games 2 --save games.txt
      glaux replay games.txt --match 2
      glaux replay games.txt ubfms:value=playouts,seconds=1
      glaux replay games.txt mcts:iterations=1000 --all --json
    """
    records = load_records(file, make(rules) if rules else None)
    if not 1 <= match <= len(records):
        raise InvalidParameter(f"'{file}' has matches 1 to {len(records)}, not {match}.")
    record = records[match - 1]
    with ExitStack() as stack:
        judge = None
        if player is not None:
            judge = stack.enter_context(closing(make_player(player, record.game, seed)))
        viewing = Viewing(record, judge, player or "", make_console())
        viewing.check()
        if json or all_moves or not (sys.stdin and sys.stdin.isatty() and viewing.console.is_terminal):
            _print_all(viewing, json)
        else:
            viewing.run()


def _print_all(viewing: Viewing, json: bool) -> None:
    record = viewing.record
    progress = make_console(stderr=True)
    plies = range(len(record.states))
    shown = track(plies, "thinking", console=progress, transient=True, disable=not progress.is_terminal)
    found = [viewing.evaluation(ply) for ply in shown]
    if json:
        print_json(_facts(record, found))
        return
    console = viewing.console
    console.print(_table(record, found, console), soft_wrap=True)
    console.print()
    viewing.go_to(len(record.actions))
    viewing.show()


def _facts(record: Record, found: list[Evaluation | None]) -> dict[str, Any]:
    """The figures that ``glaux replay --json`` prints: each state with what the player thinks of it."""
    states = []
    for ply, (state, evaluation) in enumerate(zip(record.states, found, strict=True)):
        row: dict[str, Any] = {
            "ply": ply,
            "state": record.game.state_text(state),
            "action": record.texts[ply] if ply < len(record.texts) else None,
            "player": "first" if record.game.first_player(state) else "second",
        }
        if evaluation:
            row |= {
                "value": evaluation.value,
                "resolved": evaluation.resolved,
                "best": action_name(state, evaluation.action),
            }
        states.append(row)
    return {
        "game": record.game.text,
        "players": list(record.players),
        "outcome": record.outcome,
        "reason": record.reason,
        "opening": record.opening,
        "states": states,
    }


def _table(record: Record, found: list[Evaluation | None], console: Console) -> Table:
    table = make_table()
    table.add_column("ply", justify="right")
    table.add_column("player")
    table.add_column("action", style="bold")
    judged = any(found)
    if judged:
        table.add_column("value before it", justify="right")
        table.add_column("PLAYER's choice")
    for ply, text in enumerate(record.texts):
        state, evaluation = record.states[ply], found[ply]
        cells: list[str | Text] = [str(ply + 1), player_name(record, state, console), Text(text)]
        if judged and evaluation:
            proven = " proven" if evaluation.resolved else ""
            cells += [f"{evaluation.value:+.3f}{proven}", Text(action_name(state, evaluation.action))]
        table.add_row(*cells)
    return table
