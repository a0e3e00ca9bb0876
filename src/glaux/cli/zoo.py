"""``glaux zoo``: the agents in the box."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from glaux.cli.arguments import Json
from glaux.cli.output import make_console, make_table, print_json
from glaux.cli.train import train
from glaux.errors import InvalidParameter
from glaux.learn.agents import add_agent, add_matches
from glaux.learn.preset import DEFAULT
from glaux.learn.run import Run
from glaux.rules.registry import make
from glaux.values.zoo import Card, Match, agent_folder, agents, read_card
from glaux.words import plural

app = typer.Typer(invoke_without_command=True, add_completion=False)

AgentName = Annotated[str, typer.Argument(metavar="GAME", help="The name of a game.", show_default=False)]
RunPath = Annotated[Path, typer.Argument(metavar="RUN", help="The directory of a run.", show_default=False)]
Files = Annotated[
    list[Path] | None,
    typer.Option(
        "--measured",
        metavar="FILE",
        help="A match for the card: output of [bold]glaux match GAME RUN OPPONENT --json[/]. Can be "
        "repeated.",
        show_default=False,
    ),
]
MatchFiles = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE...",
        help="Output of [bold]glaux match GAME zoo OPPONENT --json[/].",
        show_default=False,
    ),
]
Search = Annotated[
    str | None,
    typer.Option(
        "--search", metavar="S", help="The search the agent plays with.", show_default="that of runs"
    ),
]
Commit = Annotated[
    str | None,
    typer.Option(
        "--commit", metavar="C", help="The commit of Glaux that trained it.", show_default="the current one"
    ),
]
Minutes = Annotated[
    float | None,
    typer.Option(
        "--minutes", "-m", metavar="M", help="Total training time in minutes.", show_default="as on the card"
    ),
]
BuildRun = Annotated[
    Path | None,
    typer.Option("--run", metavar="DIR", help="Keep the training run here.", show_default="deleted"),
]


@app.callback()
def zoo(ctx: typer.Context, json: Json = False) -> None:
    """List the agents that ship with Glaux, and make new ones.

    Each plays its game at the default parameters. Write [bold]zoo[/] wherever a command takes a PLAYER,
    [bold]zoo:level=3[/] for a level from 1 to 8, and [bold]value=zoo[/] for its value function. See
    docs/zoo.md.

    \b
    Examples:
      glaux zoo
      glaux zoo show othello
      glaux match othello zoo:level=5 mcts:iterations=1000
      glaux zoo build othello --minutes 60
      glaux zoo add runs/othello --measured match.json
    """
    if ctx.invoked_subcommand is not None:
        return
    cards = {name: read_card(name) for name in agents()}
    if json:
        print_json([_told(name, card) for name, card in cards.items()])
        return
    console = make_console()
    if not cards:
        console.print("No agents ship with this installation: 'glaux zoo build GAME' trains one.")
        return
    table = make_table()
    for column in ("game", "kind", "kB", "minutes", "against", "games", "score", "95% interval"):
        right = column not in ("game", "kind", "against")
        table.add_column(column, justify="right" if right else "left", overflow="fold")
    for name, card in cards.items():
        facts = (name, card.family, f"{_bytes(name) / 1000:,.0f}", f"{card.minutes:g}")
        table.add_row(*facts, *_cells(card.measured[0] if card.measured else None))
        for match in card.measured[1:]:
            table.add_row("", "", "", "", *_cells(match))
    console.print(table)


@app.command()
def show(name: AgentName, json: Json = False) -> None:
    """Show an agent's card: how it was trained and how it scored.

    \b
    Examples:
      glaux zoo show othello
      glaux zoo show othello --json
    """
    card = read_card(name)
    if json:
        print_json(_told(name, card))
        return
    _print_card(name, card)


@app.command()
def add(run: RunPath, measured: Files = None, search: Search = None, commit: Commit = None) -> None:
    """Pack a training run's value function, with a card, as the agent of its game.

    It goes into the package, or into the directory named by the variable GLAUX_ZOO, and replaces the agent
    there.

    \b
    Examples:
      glaux match othello runs/othello mcts --opening 4 --json > mcts.json
      glaux zoo add runs/othello --measured mcts.json
    """
    card = add_agent(Run.open(run), measured=measured or [], search=search, commit=commit)
    _print_card(make(card.game).name, card)


@app.command()
def measure(name: AgentName, files: MatchFiles) -> None:
    """Add match results to an agent's card, replacing those against the same opponent.

    \b
    Examples:
      glaux match othello zoo gtp:gtp-rhino --opening 4 --json > rhino.json
      glaux zoo measure othello rhino.json
    """
    _print_card(name, add_matches(name, files))


@app.command()
def build(ctx: typer.Context, name: AgentName, minutes: Minutes = None, run: BuildRun = None) -> None:
    """Train a game's agent as its card says, or with the laptop preset, and pack it.

    \b
    Examples:
      glaux zoo build othello
      glaux zoo build othello --minutes 60 --run runs/othello
    """
    if make(name).label != name:
        raise InvalidParameter(f"Agents play with default parameters only: {make(name).name}.")
    known = read_card(name) if name in agents() else None
    preset, settings = (known.preset, known.settings) if known else (DEFAULT, [])
    if not preset:
        raise InvalidParameter(
            f"The card of {name} does not say how to train it, because its settings match no preset."
        )
    if minutes is None and known:
        minutes = known.minutes or None
    with tempfile.TemporaryDirectory(prefix="glaux-zoo-") as scratch:
        place = run or Path(scratch) / name
        train(ctx, name, preset=preset, minutes=minutes, run=place, settings=list(settings))
        card = add_agent(Run.open(place))
    _print_card(name, card)


def _told(name: str, card: Card) -> dict[str, Any]:
    return {"name": name, "bytes": _bytes(name), **card.write()}


def _bytes(name: str) -> int:
    return sum(file.stat().st_size for file in agent_folder(name).iterdir() if file.is_file())


def _cells(match: Match | None) -> tuple[str, ...]:
    if match is None:
        return ("not measured", "", "", "")
    return (escape(match.opponent), str(match.games), f"{match.score:.1%}", _interval(match))


def _interval(match: Match) -> str:
    return f"{match.low:.1%} to {match.high:.1%}"


def _print_card(name: str, card: Card) -> None:
    console = make_console()
    console.print(f"[bold]{escape(card.title)}[/]: zoo:{escape(name)}, {_bytes(name):,} bytes\n")
    table = make_table()
    table.add_column("", style="bold", no_wrap=True)
    table.add_column("", overflow="fold")
    table.show_header = False
    facts = {
        "plays": f"{card.game} with {card.search}",
        "description": f"{card.family}: {card.description}",
        "trained by": card.command,
        "for": ", ".join(
            (plural(card.minutes, "minute"), plural(card.matches, "match"), plural(card.learned, "pair"))
        ),
        "on": card.machine,
        "by": f"Glaux {card.version}{f', commit {card.commit}' if card.commit else ''}, {card.made}",
        "packed": f"{card.bits}-bit weights; packing changed values by {card.error:.2%} on average, "
        f"{card.error_most:.2%} at most",
    }
    for key, fact in facts.items():
        table.add_row(key, escape(fact))
    for match in card.measured:
        result = f"{match.score:.1%} of {plural(match.games, 'game')} ({_interval(match)})"
        result += f" against {match.opponent}"
        table.add_row("measured", escape(f"{result}\n{match.command}"))
    if not card.measured:
        table.add_row("measured", "not yet")
    console.print(table)
