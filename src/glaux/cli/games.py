"""``glaux games``: the games there are."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from glaux import _core
from glaux.cli.arguments import Json
from glaux.cli.output import make_console, make_table, print_json
from glaux.looks.finding import look_named
from glaux.looks.look import KINDS
from glaux.rules.game import Spec, written
from glaux.rules.registry import make


def games(json: Json = False) -> None:
    """List the games with their boards and parameters.

    The board is rows x columns at the default parameters, and bytes are those of one state. Set parameters
    after the name: [bold]glaux play hex:size=7,swap=false[/].

    \b
    Examples:
      glaux games
      glaux games --json
    """
    infos = _core.registry()
    if json:
        print_json([_facts(info, make(info.name).spec) for info in infos])
        return
    table = make_table()
    table.add_column("game", style="bold")
    table.add_column("board", no_wrap=True)
    table.add_column("players", justify="right")
    table.add_column("bytes", justify="right")
    table.add_column("goal and parameters", ratio=1)
    for kind, title in KINDS.items():
        members = [info for info in infos if look_named(info.name).kind == kind]
        if members:
            table.add_row(Text(title, style="bold underline"))
        for info in members:
            spec = make(info.name).spec
            table.add_row(
                info.name, board_text(spec), str(spec.players), str(spec.state_size), _description(info)
            )
        table.add_section()
    make_console().print(table)


def board_text(spec: Spec) -> str:
    """Rows and columns, as in 8x8."""
    return f"{spec.board.rows}x{spec.board.columns}"


def _description(info: _core.GameInfo) -> Text:
    text = Text(f"{info.title}. ", style="bold").append(info.summary, style="not bold")
    parameters = ", ".join(_parameter_text(p) for p in info.parameters)
    return text.append(f"\n{parameters}", style="not bold dim") if parameters else text


def _parameter_text(parameter: _core.Parameter) -> str:
    if parameter.flag:
        return f"{parameter.name}={'true' if parameter.default_value else 'false'}"
    default, low, high = (
        written(parameter, n) for n in (parameter.default_value, parameter.low, parameter.high)
    )
    return f"{parameter.name}={default} ({low}..{high})"


def _facts(info: _core.GameInfo, spec: Spec) -> dict[str, Any]:
    return {
        "name": info.name,
        "title": info.title,
        "summary": info.summary,
        "kind": look_named(info.name).kind,
        "players": spec.players,
        "board": board_text(spec),
        "state_bytes": spec.state_size,
        "max_plies": spec.max_plies,
        "actions": spec.action_count,
        "planes": [len(spec.planes), spec.plane_rows, spec.plane_columns],
        "symmetries": spec.symmetry_count,
        "parameters": [_parameter_facts(p) for p in info.parameters],
    }


def _parameter_facts(parameter: _core.Parameter) -> dict[str, Any]:
    def value(number: int) -> int | float | bool:
        return bool(number) if parameter.flag else written(parameter, number)

    return {
        "name": parameter.name,
        "default": value(parameter.default_value),
        "low": value(parameter.low),
        "high": value(parameter.high),
        "help": parameter.help,
    }
