"""``glaux solve``: a proof of what best play leads to."""

from __future__ import annotations

import math
from typing import Annotated

import typer

from glaux import _core
from glaux.cli.arguments import GameText, Json, Moves, StateText, start_state
from glaux.cli.output import make_console, print_json
from glaux.errors import GlauxError, InvalidState
from glaux.fields import read_size
from glaux.rules.game import State
from glaux.rules.registry import make
from glaux.search.solve import Solution, score_range, solve_score
from glaux.search.solve import solve as prove

Seconds = Annotated[
    float | None,
    typer.Option("--seconds", metavar="S", help="Give up after so long.", show_default=False),
]
Memory = Annotated[
    str, typer.Option("--memory", metavar="SIZE", help="Give up when so much memory is in use: 500M, 8G.")
]
Score = Annotated[
    bool, typer.Option("--score", help="Prove the exact score, in games that have one (Othello).")
]


def solve(
    game: GameText,
    moves: Moves = "",
    state: StateText = None,
    score: Score = False,
    seconds: Seconds = None,
    memory: Memory = "8G",
    json: Json = False,
) -> None:
    """Prove the value of a game, or of a position of it, with its principal variation.

    Descent with completion searches until the result is certain. Ends with exit code 1 if it is
    still open when time or memory is used up.

    \b
    Examples:
      glaux solve connect_four:rows=4,columns=5
      glaux solve hex:size=4 --moves "a1"
      glaux solve othello:size=4 --score
      glaux solve rubik2:twists=4,seed=1,limit=4       can four twists solve this cube?
    """
    chosen = make(game)
    root = chosen.play(moves, start_state(chosen, state))
    if chosen.terminal(root):
        raise InvalidState("The match is over: there is nothing to prove.")
    if score and not chosen.spec.has_score:
        raise GlauxError(f"{chosen.spec.title} has no score: leave --score out.")
    budget = read_size("memory", memory)
    limit = math.inf if seconds is None else seconds
    console = make_console(stderr=True)
    with console.status(f"proving {chosen.text}", spinner="dots") as status:
        if score:
            low, high = score_range(chosen)

            def asked(low: int, high: int) -> None:
                status.update(f"proving {chosen.text}: the score is between {low:+} and {high:+}")

            found = solve_score(root, seconds=limit, memory=budget, low=low, high=high, asked=asked)
        else:
            found = prove(root, seconds=limit, memory=budget)
    if json:
        print_json(_figures(root, found))
    else:
        _print(root, found)
    if not found.resolved:
        raise typer.Exit(1)


def variation(root: State, actions: list[int]) -> list[str]:
    """The texts of actions one after the other."""
    texts, state = [], root
    for action in actions:
        texts.append(root.game.action_text(state, action))
        state = root.game.apply(state, action)
    return texts


def _figures(root: State, found: Solution) -> dict[str, object]:
    return {
        "game": root.game.text,
        "outcome": found.outcome,
        "resolved": found.resolved,
        "score": found.score,
        "pv": variation(root, found.principal_variation),
        "expansions": found.expansions,
        "seconds": found.seconds,
    }


def _print(root: State, found: Solution) -> None:
    console = make_console()
    effort = f"{found.expansions:,} states expanded in {found.seconds:.2f} s"
    if not found.resolved:
        why = "memory" if found.full else "time"
        console.print(f"Still open when {why} was used up: {effort}.")
        return
    one = {1: "It can be won", 0: "It can be drawn, not won", -1: "It can't be won"}
    two = {1: "The first player wins", 0: "A draw", -1: "The second player wins"}
    outcome = (one if root.game.spec.players == 1 else two)[found.outcome or 0]
    if root.game.spec.aim == _core.Aim.score and found.score is not None:
        console.print(f"[bold]The best score is {found.score:g}.[/]  Proven: {effort}.")
        console.print("Principal variation: " + " ".join(variation(root, found.principal_variation)))
        return
    score = "" if found.score is None else f", with a score of {found.score:+g} for the first player"
    console.print(f"[bold]{outcome}{score}.[/]  Proven: {effort}.")
    console.print("Principal variation: " + " ".join(variation(root, found.principal_variation)))
