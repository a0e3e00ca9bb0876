"""How often do searches evaluate and expand what they know already, but for the moves that led to it?

    python experiments/positions.py [--evaluations 10000 100000] [--plies 0 30] [--network NAME] [GAME ...]

For each search of the registry (that needs no playouts), from the start and after so many random plies:
the evaluations, and the shares of them that were new as states (all bytes), as planes (what a neural
network sees: the board, the player, the ply and the plies since the last capture) and as boards (what an
n-tuple network sees: the board and the player). Then the same of the states that were expanded. By
default the games whose states have a history. The value function is an n-tuple network that was fitted
to the ends of random matches.

With --network the same searches with a neural network of this preset instead: the seconds of CPU without
and with values that are remembered, and the share of states that the network was given.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

import glaux
from glaux.rules.game import Game, State, StateArray
from glaux.search.registry import SEARCHES, make_search
from glaux.values.remembering import Remembering

NAMES = [name for name, entry in SEARCHES.items() if not entry.iterations and name not in ("mcts", "ubfms")]
"""all but UCT, which plays matches out, and what walks through the same tree as another"""
SHARES = "search      evaluated   states   planes   boards  expanded   planes   boards"
TIMES = "search       without      with           network"
CHUNK = 10_000


def knowing(game: Game, network: str | None) -> Any:
    """A value function that knows a little."""
    value = glaux.NeuralNetwork(game, network, seed=1) if network else glaux.NTupleNetwork(game, seed=1)
    ends = game.playouts(game.initial(), 2000 if network else 20_000, seed=1)
    outcomes = [game.outcome(end) or 0 for end in game.states(ends)]
    value.fit(ends, np.array(outcomes, np.float32), epochs=2)
    return value


def later(game: Game, plies: int) -> State:
    """A state that the match reaches by random actions."""
    rng = random.Random(1)
    while True:
        state = game.initial()
        for _ in range(plies):
            if game.terminal(state):
                break
            state = game.apply(state, rng.choice(game.actions(state)))
        if not game.terminal(state):
            return state


def boards(game: Game, states: StateArray) -> list[bytes]:
    """The cells and who moves."""
    return [
        game.cells(state).tobytes() + bytes([game.first_player(state)])
        for state in game.states(np.ascontiguousarray(states))
    ]


def planes(game: Game, states: StateArray) -> list[bytes]:
    """What a neural network is given."""
    return [plane.tobytes() for plane in game.native.encode(np.ascontiguousarray(states))]


def share(game: Game, states: StateArray, seen_as: Callable[[Game, StateArray], list[bytes]]) -> str:
    """The share of different ones."""
    different: set[int] = set()
    for start in range(0, len(states), CHUNK):
        different.update(hash(key) for key in seen_as(game, states[start : start + CHUNK]))
    return f"{len(different) / max(len(states), 1):7.1%}"


def measure(game: Game, name: str, start: State, evaluations: int, value: Any) -> str:
    """One row."""
    seen: list[StateArray] = []

    def evaluate(states: StateArray) -> npt.NDArray[np.float32]:
        seen.append(states.copy())
        return value.evaluate(states)

    search = make_search(name, game, glaux.OnStates(evaluate), {"seed": 1})
    tree = search.run(start, evaluations=evaluations)
    evaluated, expanded = np.concatenate(seen), tree.learnable()[0]
    kinds = (lambda _, states: [row.tobytes() for row in states]), planes, boards
    return "  ".join(
        [f"{name:<10}", f"{len(evaluated):>8,}"]
        + [share(game, evaluated, kind) for kind in kinds]
        + [f"{len(expanded):>8,}"]
        + [share(game, expanded, kind) for kind in (planes, boards)]
    )


def measure_time(game: Game, name: str, start: State, evaluations: int, network: glaux.NeuralNetwork) -> str:
    """One row: what remembering values saves."""
    remembering = Remembering(network, 1_000_000)
    seconds = []
    for value in (network, remembering):
        search = make_search(name, game, value, {"seed": 1})
        begun = time.process_time()
        search.run(start, evaluations=evaluations)
        seconds.append(time.process_time() - begun)
    share = remembering.evaluated / remembering.asked
    return f"{name:<10}  {seconds[0]:8.2f}  {seconds[1]:8.2f}  {seconds[0] / seconds[1]:5.2f}x  {share:7.1%}"


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--evaluations", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--network")
    parser.add_argument("--plies", type=int, nargs="+", default=[0, 30])
    options = parser.parse_args()
    texts = options.games or [name for name in glaux.games() if glaux.make(name).spec.has_history]
    for text in texts:
        game = glaux.make(text)
        value = knowing(game, options.network)
        for plies in options.plies:
            start = later(game, plies)
            for evaluations in options.evaluations:
                print(f"{text}, ply {plies}, {evaluations:,} evaluations")
                print(TIMES if options.network else SHARES)
                for name in NAMES:
                    measuring = measure_time if options.network else measure
                    print(measuring(game, name, start, evaluations, value), flush=True)


if __name__ == "__main__":
    main()
