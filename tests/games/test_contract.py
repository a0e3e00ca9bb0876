"""The contract of tests/contract.py on every registered game at every size, and its variants."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import glaux
from glaux import Game, State, _core
from glaux.errors import InvalidAction, InvalidParameter, InvalidState
from glaux.values.calibration import random_positions
from tests.boards import SMALL
from tests.contract import check_match

MANY = 40
"""values of a parameter of which only some are played"""
PYTHON_GAMES = ["docs/examples/tic_tac_toe.py", "open_spiel:game=tic_tac_toe", "open_spiel:game=nim"]


def settings() -> list[str]:
    """Every game with its defaults, and with each value of each parameter that the game accepts.

    Of a parameter with very many values, such as a seed, a few.
    """
    texts = []
    for info in _core.registry():
        texts.append(info.name)
        for p in info.parameters:
            values = range(p.low, p.high + 1)
            for value in values if len(values) <= MANY else [p.low, p.low + 1, p.default_value, p.high]:
                text = f"{info.name}:{p.name}={value}"
                try:
                    glaux.make(text)
                except InvalidParameter:
                    continue
                if value != p.default_value:
                    texts.append(text)
    return texts


SETTINGS = settings()


def test_no_game_escapes() -> None:
    covered = {text.partition(":")[0] for text in SETTINGS}
    assert covered == set(SMALL) == {info.name for info in _core.registry()}


@pytest.mark.parametrize("text", SETTINGS)
def test_contract(text: str, seed: int) -> None:
    game = glaux.make(text)
    looks = 6 if game.spec.board.rows * game.spec.board.columns <= 100 else 2
    check_match(game, seed, looks)


@pytest.mark.parametrize("text", [*SMALL.values(), *SMALL])
def test_contract_on_many_matches(text: str, seed: int) -> None:
    for i in range(3):
        check_match(glaux.make(text), seed + i, looks=4)


@pytest.mark.parametrize("text", SMALL.values())
def test_contract_with_mobility(text: str, seed: int) -> None:
    game = glaux.make(text, mobility=True)
    check_match(game, seed)
    for state in game.states(game.playouts(game.initial(), 5, seed)):
        assert all(1 <= m <= game.spec.max_actions for m in game.mobility(state))


@pytest.mark.parametrize("text", PYTHON_GAMES)
def test_contract_of_python_games(text: str, seed: int) -> None:
    check_match(glaux.make(text), seed)


@pytest.mark.parametrize("text", [*SMALL.values(), *PYTHON_GAMES])
def test_many_states_at_once(text: str, seed: int) -> None:
    """Each state after an action of it, as one at a time."""
    game, rng = glaux.make(text), np.random.default_rng(seed)
    states = game.states(random_positions(game, 30, seed=seed))
    states = [state for state in states if not game.terminal(state)]
    chosen = [int(rng.choice(game.actions(state))) for state in states]
    rows, actions = game.array(states), np.array(chosen, np.int32)
    children, over = game.native.apply_each(rows, actions)
    alone = [game.apply(state, action) for state, action in zip(states, chosen, strict=True)]
    assert game.states(children) == alone and over.tolist() == [*map(game.terminal, alone)]
    with pytest.raises(InvalidAction, match="not legal"):
        game.native.apply_each(rows, np.full_like(actions, game.spec.action_count))
    with pytest.raises(InvalidAction, match="an action for each"):
        game.native.apply_each(rows, actions[1:])


def naive_playout(game: Game, rng: np.random.Generator) -> State:
    state = game.initial()
    while actions := game.actions(state):
        state = game.apply(state, actions[rng.integers(len(actions))])
    return state


def differs(a: list[float], b: list[float]) -> bool:
    """Whether two samples have different means, five standard errors apart."""
    error = np.sqrt(np.var(a) / len(a) + np.var(b) / len(b))
    return bool(abs(np.mean(a) - np.mean(b)) > 5 * error + 1e-9)


@pytest.mark.parametrize("text", SMALL.values())
def test_native_playouts_are_uniformly_random(text: str, seed: int) -> None:
    """A game's shortcuts for playouts must not change their distribution."""
    game = glaux.make(text)
    rng = np.random.default_rng(seed)
    ours = game.states(game.playouts(game.initial(), 4000, seed))
    plain = [naive_playout(game, rng) for _ in range(500)]
    for measure in (game.outcome, game.ply, lambda s: (game.outcome(s) or 0) * game.ply(s)):
        assert not differs([measure(s) or 0 for s in ours], [measure(s) or 0 for s in plain])
    assert len({bytes(s) for s in ours}) > 20


@pytest.mark.parametrize("text", [*SMALL.values(), *PYTHON_GAMES])
def test_games_and_states_are_values(text: str) -> None:
    game = glaux.make(text)
    state = game.apply(game.initial(), game.actions(game.initial())[0])
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert hash(again) == hash(state)
    assert again.game == game
    assert repr(state) != repr(game.initial())
    assert game != glaux.make("connect_four:rows=5")


def test_hashes_are_stable_across_runs() -> None:
    """Stored hashes must keep their meaning: this number may never change for equal bytes."""
    game = glaux.make("othello")
    assert game.hash(game.initial()) == 0xAA2BAD58565F32B9


@pytest.mark.parametrize("name", SMALL)
def test_random_bytes_are_refused_or_safe(name: str, seed: int) -> None:
    game = glaux.make(SMALL[name])
    rng = np.random.default_rng(seed)
    for _ in range(300):
        data = rng.integers(0, 256, game.spec.state_size, dtype=np.uint8).tobytes()
        try:
            state = game.state(data)
        except InvalidState as error:
            assert str(error).endswith(".")
            continue
        assert game.parse_state(game.state_text(state)) == state
