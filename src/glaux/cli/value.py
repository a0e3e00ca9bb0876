"""``glaux value``: what is in the directory of a value function."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from glaux.bench.values import ValueSpeed, measure_value
from glaux.cli.arguments import Json, Rules
from glaux.cli.figures import figures_table, measured, rounded
from glaux.cli.output import make_console, print_help_if_bare, print_json
from glaux.errors import InvalidParameter
from glaux.rules.registry import make
from glaux.values.calibration import Calibration, calibrate
from glaux.values.loading import find, load
from glaux.values.networks.network import NeuralNetwork
from glaux.values.saving import read_head
from glaux.values.value import ValueFunction
from glaux.words import plural

app = typer.Typer(invoke_without_command=True, add_completion=False)

ValuePath = Annotated[
    Path, typer.Argument(metavar="PATH", help="The directory of a value function or of a run.")
]
OnnxFile = Annotated[Path, typer.Argument(metavar="FILE", help="The file to write, such as name.onnx.")]
Positions = Annotated[int, typer.Option(help="Random positions for calibration; 0 skips it.")]
Seconds = Annotated[float, typer.Option(help="Seconds to measure the speed; 0 skips it.")]


@app.callback()
def value(ctx: typer.Context) -> None:
    """Inspect and export trained value functions."""
    print_help_if_bare(ctx)


@app.command()
def export(path: ValuePath, file: OnnxFile, rules: Rules = None) -> None:
    """Write a neural network as an ONNX model, for other programs and languages.

    \b
    Examples:
      glaux value export runs/hex7 hex7.onnx
    """
    function = load(find(path), make(rules) if rules else None, optimizer=False)
    if not isinstance(function, NeuralNetwork):
        raise InvalidParameter(
            f"'{path}' is not a neural network: only neural networks can be exported to ONNX."
        )
    place = function.export_onnx(file)
    make_console().print(f"Wrote '{place}'. Input: planes of {function.game.text}.", markup=False)


@app.command()
def info(
    path: ValuePath,
    positions: Positions = 1000,
    seconds: Seconds = 1.0,
    rules: Rules = None,
    json: Json = False,
) -> None:
    """Show a value function's kind, size, speed on this machine, and calibration.

    The calibration sorts random positions by their value and shows, for each fifth of them, how random
    matches from there end. With a good value function the outcomes rise from top to bottom.

    \b
    Examples:
      glaux value info runs/hex7
      glaux value info runs/hex7 --positions 10000 --seconds 0 --json
      glaux value info runs/mine --rules my_game.py:MyGame
    """
    if positions < 0 or not seconds >= 0:
        raise InvalidParameter("--positions and --seconds can't be negative.")
    path = find(path)
    function = load(path, make(rules) if rules else None)
    speed: ValueSpeed | None = None
    calibration: Calibration | None = None
    if seconds > 0:
        [speed] = measured([("speed", lambda: measure_value(function, function.family, seconds))])
    if positions > 0:
        [calibration] = measured([("calibration", lambda: calibrate(function, positions))])
    facts = {
        "path": str(path),
        "game": function.game.text,
        "family": function.family,
        "description": function.describe(),
        "weights": function.weight_count,
        "bytes": sum(file.stat().st_size for file in path.iterdir() if file.is_file()),
        "learned": function.learned,
        "versions": read_head(path)["versions"],
    }
    if json:
        found = {
            "speed": rounded(speed) if speed else None,
            "calibration": asdict(calibration) if calibration else None,
        }
        print_json(facts | {"history": function.history} | found)
        return
    console = make_console()
    console.print(facts_table(facts, function, speed))
    if calibration:
        console.print()
        console.print(calibration_table(calibration))
        console.print(f"\nRank correlation of value and outcome: {calibration.correlation:.2f}")


def facts_table(facts: dict[str, object], function: ValueFunction, speed: ValueSpeed | None) -> Table:
    """What it is, a line a fact."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    versions = facts["versions"]
    learned = facts["learned"]
    assert isinstance(versions, dict) and isinstance(learned, int)
    table.add_row("game", escape(str(facts["game"])))
    table.add_row("family", escape(str(facts["family"])))
    table.add_row("description", escape(str(facts["description"])))
    table.add_row("size", f"{facts['weights']:,} weights, {facts['bytes']:,} bytes on disk")
    table.add_row("learned from", f"{plural(learned, 'example')}")
    for entry in function.history:
        table.add_row("history", escape(", ".join(f"{key}: {value}" for key, value in entry.items())))
    table.add_row("written by", escape(", ".join(f"{name} {number}" for name, number in versions.items())))
    if speed:
        table.add_row("alone", f"{speed.states_per_second:,.0f} states/s in batches of {speed.batch}")
        table.add_row("in UBFM", f"{speed.evaluations_per_second:,.0f} evaluations/s")
        table.add_row("learning", f"{speed.pairs_per_second:,.0f} pairs/s")
    return table


def calibration_table(calibration: Calibration) -> Table:
    """Values beside outcomes of random matches, from the second player's best to the first player's."""
    table = figures_table(("values of random positions",), ("positions", "mean value", "mean outcome"))
    names = ["lowest", "low", "middle", "high", "highest"]
    for name, group in zip(names, calibration.groups, strict=False):
        table.add_row(name, f"{group.positions:,}", f"{group.value:+.3f}", f"{group.outcome:+.3f}")
    return table
