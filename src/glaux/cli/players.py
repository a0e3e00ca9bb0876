"""``glaux players``: who can play, and with which settings."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated

import typer
from rich.table import Table

from glaux.cli.arguments import Json
from glaux.cli.output import make_console, make_table, print_json
from glaux.errors import UnknownName, suggest
from glaux.fields import to_helps, to_texts
from glaux.players.engine_players import ENGINES
from glaux.players.levels import FULL
from glaux.players.registry import players as names
from glaux.players.registry import settings_of_player, summary_of_player
from glaux.players.search_players import DEFAULT_SECONDS, DecisionLimits
from glaux.search.registry import ALIASES

Name = Annotated[str | None, typer.Argument(metavar="NAME", help="Explain the settings of this player.")]
COMMAND = "the command that starts the engine; comes last, and needs no name if it is the only setting"


@dataclass(frozen=True)
class ListedPlayer:
    """A player of the list."""

    name: str
    summary: str
    settings: dict[str, str]
    help: dict[str, str]


def players(name: Name = None, json: Json = False) -> None:
    """List the players with their settings.

    Write a PLAYER as its name, a colon and settings: [bold]mcts:iterations=1000,c=0.7[/]. The directory of a
    training run is a player too: [bold]runs/hex,seconds=1[/].

    \b
    Examples:
      glaux players mcts                  explain its settings
      glaux match othello mcts:iterations=1000 alphabeta:depth=4,value=playouts
      glaux play hex:size=7 ubfms:value=playouts,seconds=2
    """
    name = None if name is None else ALIASES.get(name, name)
    if name is not None and name not in names():
        raise UnknownName(f"There is no player '{name}'{suggest(name, names())}")
    rows = [_row(one) for one in names() if name in (None, one)]
    if json:
        print_json([asdict(row) for row in rows])
    elif name is None:
        _print_all(rows)
    else:
        _print_one(rows[0])


def _row(name: str) -> ListedPlayer:
    parts = settings_of_player(name)
    settings = {key: text for part in parts for key, text in to_texts(part).items()}
    helps = {key: text for part in parts for key, text in to_helps(part).items()}
    if name in ENGINES:
        settings["command"], helps["command"] = "", COMMAND
    return ListedPlayer(name, summary_of_player(name), settings, helps)


def _table(*columns: str) -> Table:
    table = make_table()
    for column in columns:
        table.add_column(column, style="bold" if column == columns[0] else "", overflow="fold")
    return table


def _print_all(rows: list[ListedPlayer]) -> None:
    table = _table("player", "description", "own settings")
    limits = to_texts(DecisionLimits())
    searches = [row.settings for row in rows if limits.keys() <= row.settings.keys()]
    shared = [key for key in searches[0] if all(key in settings for settings in searches)]
    for row in rows:
        hidden = shared if "value" in row.settings else ()  # greedy, too, which needs no limit
        texts = [f"{key}={text}" for key, text in row.settings.items() if key not in hidden]
        table.add_row(row.name, row.summary, " ".join(texts))
    others = [key for key in shared if key not in limits]
    console = make_console()
    console.print(table)
    console.print(
        "\nEvery search also takes a limit per move (seconds, iterations or evaluations; "
        f"{DEFAULT_SECONDS:g} second by default), a level from 1 to {FULL} for human opponents, and "
        f"{', '.join(others[:-1])} and {others[-1]}.\nAn engine's command comes after its settings: "
        "gtp:timeout=10,command=gnugo --mode gtp.\n'glaux players NAME' explains a player's settings."
    )


def _print_one(row: ListedPlayer) -> None:
    console = make_console()
    console.print(f"[bold]{row.name}[/]: {row.summary}\n")
    table = _table("setting", "default", "meaning")
    for key, text in row.settings.items():
        table.add_row(key, text, row.help[key].replace("`", ""))
    console.print(table)
