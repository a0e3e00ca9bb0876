"""``glaux solve``: a proof of what best play leads to."""

from __future__ import annotations

import math
from typing import Annotated

import typer

from glaux import _core
from glaux.cli.arguments import GameText, Json, Moves, StateText, start_state
from glaux.cli.output import make_console, print_json
from glaux.cli.train_display import clock
from glaux.errors import GlauxError, InvalidParameter, InvalidState
from glaux.fields import read_size
from glaux.rules.game import State
from glaux.rules.registry import make
from glaux.search.solve import Solution, score_range, solve_score
from glaux.search.solve import solve as prove
from glaux.search.tree import Tree
from glaux.words import plural

Seconds = Annotated[
    float | None,
    typer.Option("--seconds", metavar="S", help="Give up after this many seconds.", show_default=False),
]
Memory = Annotated[
    str, typer.Option("--memory", metavar="SIZE", help="Size of the transposition table: 500M, 8G.")
]
Score = Annotated[
    bool, typer.Option("--score", help="Prove the exact score, in games that have one, such as Othello.")
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
    """Prove the result of perfect play from the start or from a position.

    Alpha-beta with completion searches until the result is certain. The exit code is 1 if time runs out
    first.

    \b
    Examples:
      glaux solve connect_four:rows=4,columns=5
      glaux solve hex:size=4 --moves "a1"
      glaux solve othello:size=4 --score
      glaux solve rubik2:twists=4,seed=1,limit=4     solvable in four twists?
    """
    chosen = make(game)
    root = chosen.play(moves, start_state(chosen, state))
    if chosen.terminal(root):
        raise InvalidState("The match is over: there is nothing to prove.")
    if score and not chosen.spec.has_score:
        raise GlauxError(f"{chosen.spec.title} has no score: leave out --score.")
    budget = read_size("memory", memory)
    if seconds is not None and not seconds >= 0:
        raise InvalidParameter(f"--seconds must be a non-negative number, not {seconds:g}.")
    limit = math.inf if seconds is None else seconds
    console = make_console(stderr=True)
    what = f"proving {chosen.text}"
    with console.status(what, spinner="dots") as status:

        def asked(low: int, high: int) -> None:
            nonlocal what
            what = f"proving {chosen.text}: the score is between {low:+} and {high:+}"

        def report(tree: Tree, expansions: int, taken: float) -> None:
            rows = tree.children()
            proven = f"{sum(row.r for row in rows)} of {plural(len(rows), 'first action')} proven"
            used = f"{tree.bytes_used / 2**20:,.0f} MB"
            status.update(f"{what}: {clock(taken)}, {plural(expansions, 'state')}, {used}, {proven}")

        if score:
            low, high = score_range(chosen)
            found = solve_score(
                root, seconds=limit, memory=budget, low=low, high=high, asked=asked, report=report
            )
        else:
            found = prove(root, seconds=limit, memory=budget, report=report)
    if json:
        print_json(_figures(root, found))
    else:
        _print(root, found)
    if not found.resolved:
        raise typer.Exit(130 if found.interrupted else 1)


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
    effort = f"{plural(found.expansions, 'state')} expanded in {found.seconds:.2f} s"
    if not found.resolved:
        why = "stopped" if found.interrupted else "out of time"
        console.print(f"Not solved ({why}): {effort}.")
        if found.between is not None:
            console.print(
                f"Proven so far: the score is between {found.between[0]:+} and {found.between[1]:+}."
            )
        line = " ".join(variation(root, found.principal_variation))
        console.print(f"Best line so far (unproven): {line}")
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
