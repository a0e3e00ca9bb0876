"""How often does a player of Connect Four give away what a position is worth? A solver says it.

    pip install bitbully
    python experiments/connect_four_positions.py [--each 200] [--seed 1] [PLAYER ...]

Positions are reached by random actions: early (8 to 13 stones), in the middle (14 to 21) and late (22 to 29),
each only if it has an action that keeps its value (won, drawn or lost) and one that does not. An action is
wrong if it does not keep the value; winning later than possible is not wrong. The solver is bitbully, which
plays perfectly and is not part of Glaux. Prints the wrong actions of each player with the 95% interval.
"""

from __future__ import annotations

import argparse
import random
from contextlib import closing
from dataclasses import dataclass

import rich.progress

import glaux
from glaux.arena.interval import wilson
from glaux.rules.game import State

try:
    import bitbully
except ImportError:
    raise SystemExit("This needs the solver bitbully: pip install bitbully") from None

PHASES = {"early": (8, 13), "middle": (14, 21), "late": (22, 29)}
"""stones on the board"""
PLAYERS = ["zoo:seconds=0.2", "greedy:value=zoo", "mcts:seconds=0.2"]


@dataclass(frozen=True)
class Position:
    """A state with the actions that keep its value."""

    state: State
    right: frozenset[int]


def worth(score: int) -> int:
    """1, 0 or -1 of the solver's score, which also says how soon."""
    return (score > 0) - (score < 0)


def positions(phase: str, count: int, seed: int) -> list[Position]:
    """So many different ones of a phase."""
    game, solver, rng = glaux.make("connect_four"), bitbully.BitBully(), random.Random(f"{seed} {phase}")
    found: dict[bytes, Position] = {}
    with rich.progress.Progress() as progress:
        task = progress.add_task(f"solving, {phase}", total=count)
        while len(found) < count:
            state, line = game.initial(), list[int]()
            for _ in range(rng.randint(*PHASES[phase])):
                line.append(rng.choice(game.actions(state)))
                state = game.apply(state, line[-1])
                if game.terminal(state):
                    break
            if game.terminal(state) or state.data in found:
                continue
            scores = {action: worth(s) for action, s in solver.score_all_moves(bitbully.Board(line)).items()}
            right = frozenset(action for action, s in scores.items() if s == max(scores.values()))
            if len(right) < len(scores):
                found[state.data] = Position(state, right)
                progress.advance(task)
    return list(found.values())


def wrong(text: str, asked: list[Position], seed: int) -> int:
    """How many of these positions the player gives away."""
    count = 0
    with closing(glaux.player(text, "connect_four", seed)) as player:
        for position in rich.progress.track(asked, description=text, transient=True):
            player.begin()
            count += player.choose(position.state) not in position.right
    return count


def main() -> None:
    """Read the arguments, solve, ask, and print a line for each player."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("players", nargs="*", default=PLAYERS, metavar="PLAYER")
    parser.add_argument("--each", type=int, default=200, help="positions of each phase")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    asked = {phase: positions(phase, arguments.each, arguments.seed) for phase in PHASES}
    print(f"{'wrong actions of':32}" + "".join(f"{phase:>10}" for phase in PHASES) + "       all")
    for text in arguments.players:
        counts = [wrong(text, asked[phase], arguments.seed) for phase in PHASES]
        total = arguments.each * len(PHASES)
        low, high = wilson(sum(counts) / total, total)
        print(
            f"{text:32}"
            + "".join(f"{count:>4} of {arguments.each}" for count in counts)
            + f"  {sum(counts) / total:.1%} ({low:.1%} to {high:.1%})"
        )


if __name__ == "__main__":
    main()
