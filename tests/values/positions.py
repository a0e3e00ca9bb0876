"""States to evaluate and to learn from."""

import numpy as np

import glaux


def positions(game: glaux.Game, count: int, seed: int = 0, *, terminal: bool = False) -> list[glaux.State]:
    """States of random matches, each once; of each match only the end if ``terminal``."""
    rng = np.random.default_rng(seed)
    found: dict[glaux.State, None] = {}
    while len(found) < count:
        state = game.initial()
        while not game.terminal(state):
            if not terminal:
                found[state] = None
            state = game.apply(state, int(rng.choice(game.actions(state))))
        found[state] = None
    return list(found)[:count]


def terminal_pairs(game: glaux.Game, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Ends of random matches and their outcomes, draws left out."""
    ends = game.playouts(game.initial(), count, seed=seed)
    outcomes = np.array([game.outcome(state) for state in game.states(ends)], np.float32)
    return ends[outcomes != 0], outcomes[outcomes != 0]


def sign_accuracy(value: glaux.ValueFunction, states: np.ndarray, outcomes: np.ndarray) -> float:
    """The share of states whose winner has the sign of the value."""
    return float((np.sign(value.evaluate(states)) == outcomes).mean())
