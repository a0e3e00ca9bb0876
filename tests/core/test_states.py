"""States hold what has been validated: the constructor looks, and no other way leads into the core."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from functools import partial
from typing import Any

import numpy as np
import pytest

import glaux
from glaux import _core
from glaux.errors import InvalidAction, InvalidParameter, InvalidState
from glaux.values.ntuple import NTupleNetwork

GAMES = [glaux.make(name) for name in glaux.games()]
by_game = pytest.mark.parametrize("game", GAMES, ids=str)


def noise(game: glaux.Game, count: int) -> list[bytes]:
    """Bytes of the right number that are hardly ever a state."""
    rng = np.random.default_rng(7)
    bytes_of = [rng.integers(0, 256, game.spec.state_size).astype(np.uint8).tobytes() for _ in range(count)]
    start = bytearray(game.initial().data)
    for i in range(len(start)):
        start[i] ^= 0xFF
        bytes_of.append(bytes(start))
        start[i] ^= 0xFF
    return bytes_of


@by_game
def test_the_constructor_validates(game: glaux.Game) -> None:
    refused = 0
    for data in noise(game, 20):
        try:
            state = glaux.State(game, data)
        except InvalidState:
            refused += 1
            continue
        # A few flipped bytes are another state: then every function takes it.
        assert game.parse_state(game.state_text(state)) == state
    assert refused >= 20
    for wrong in (b"", game.initial().data[:-1], game.initial().data + b"\0"):
        with pytest.raises(InvalidState, match="bytes here, not"):
            glaux.State(game, wrong)


@by_game
def test_the_core_validates_bytes_and_arrays(game: glaux.Game) -> None:
    """Each call that takes a state refuses bytes that are none; nothing is written or read outside."""
    network = NTupleNetwork(game, count=5, length=2)
    search = glaux.UBFM(game).native
    native = game.native
    rows = np.frombuffer(noise(game, 1)[0], np.uint8).reshape(1, -1)
    data, zero = rows.tobytes(), np.zeros(1, np.float32)
    rng, limits = _core.Rng(1), _core.Limits()
    single = [native.status, native.measures, native.hash, native.actions, native.expand, native.state_text]
    single += [native.drawing, search.children, search.choices, search.value, search.resolved]
    single += [search.principal_variation]
    calls: list[Any] = [partial(f, data) for f in single]
    calls += [
        lambda: native.apply(data, 0),
        lambda: native.action_text(data, 0),
        lambda: native.action_cells(data, 0),
        lambda: native.transform_action(data, 0, 0),
        lambda: native.perft(data, 1),
        lambda: search.start(data, limits),
        lambda: native.encode(rows),
        lambda: native.cells(rows),
        lambda: native.playouts(rows, rng),
        lambda: native.transform(rows, 0),
        lambda: native.legal(rows),
        lambda: native.apply_each(rows, np.zeros(len(rows), np.int32)),
        lambda: native.validate(rows),
        lambda: network.native.evaluate(native, rows),
        lambda: network.native.evaluate_children(native, game.initial(), rows),
        lambda: network.native.evaluate_children(native, data, rows),
        lambda: network.native.indices(native, rows),
        lambda: network.native.learn(native, rows, zero, network.learning.native),
        lambda: _core.terminal_values(_core.TerminalValue(), native, rows),
        lambda: search.add_proven(rows, zero, np.zeros(1, np.int8)),
        lambda: network.evaluate(rows),
        lambda: network.fit(rows, [0.0]),
        lambda: game.states(rows),
    ]
    for number, call in enumerate(calls):
        with pytest.raises(InvalidState):
            call()
            pytest.fail(f"call {number} took what is no state")


def test_a_state_is_of_its_game() -> None:
    small, large = glaux.make("hex", size=5), glaux.make("hex", size=7)
    other = glaux.make("connect_four")
    for game, state in [(small, large.initial()), (small, other.initial()), (large, small.initial())]:
        calls: list[Any] = [game.actions, game.terminal, game.outcome, game.first_player, game.player]
        calls += [game.expand, game.hash, game.state_text, game.drawing, game.cells, game.encode, game.perft]
        for call in calls[:-1]:
            with pytest.raises(InvalidState, match="belongs to"):
                call(state)
        with pytest.raises(InvalidState, match="belongs to"):
            game.apply(state, 0)
        with pytest.raises(InvalidState, match="belongs to"):
            glaux.UBFM(game).run(state, iterations=1)
    for wrong in (None, 3, b"", small.initial().data, "a1"):
        with pytest.raises(InvalidState, match="is needed, not"):
            small.actions(wrong)  # type: ignore[arg-type]


def test_a_game_that_claims_to_be_another_is_not_believed() -> None:
    """What Python calls equal is looked at again: parameters are a plain dictionary."""
    small, large = glaux.make("hex", size=5), glaux.make("hex", size=7)
    state = large.play("a1 g7 g1")
    small.parameters["size"] = 7
    with pytest.raises(InvalidState):
        small.actions(state)


def test_equal_games_share_states() -> None:
    one, two = glaux.make("hex", size=5), glaux.make("hex:size=5")
    state = one.play("c3")
    assert two.actions(state) == one.actions(state)
    assert two.apply(state, 0).game is two
    assert one.apply(state, 0) == two.apply(state, 0)
    assert len({one.apply(state, 0), two.apply(state, 0)}) == 1


@pytest.mark.parametrize(
    "action",
    [-1, 25, 2**31, 2**63, 10**30, -(2**31) - 1, 0.5, float("nan"), float("inf"), None, "a9"],
)
def test_actions_that_are_none(action: Any) -> None:
    game = glaux.make("hex", size=5)
    state = game.initial()
    calls: list[Any] = [game.apply, game.action_text, game.action_cells, game.native.apply]
    for call in calls:
        with pytest.raises(InvalidAction):
            call(state, action)
    with pytest.raises(InvalidAction):
        game.transform_action(state, action, 0)


def test_actions_of_other_kinds_of_numbers() -> None:
    game = glaux.make("hex", size=5)
    expected = game.apply(game.initial(), 3)
    for action in (np.int64(3), np.uint8(3), np.float64(3.0), 3.0):
        assert game.apply(game.initial(), action) == expected  # type: ignore[arg-type]


@by_game
def test_symmetries_that_there_are_not(game: glaux.Game) -> None:
    state, count = game.initial(), game.spec.symmetry_count
    action = game.actions(state)[0]
    rows = game.array(state)
    for symmetry in (-1, count, 2**31 - 1):
        for call in (
            lambda: game.native.transform_action(state, action, symmetry),  # noqa: B023
            lambda: game.native.transform(rows, symmetry),  # noqa: B023
        ):
            with pytest.raises(InvalidParameter, match="symmetries"):
                call()


def test_copies_and_pickles_are_validated() -> None:
    game = glaux.make("othello")
    state = game.play("d3")
    assert pickle.loads(pickle.dumps(state)) == state
    assert copy.copy(state) is state and copy.deepcopy(state) is state
    assert pickle.loads(pickle.dumps(game)) == game and copy.deepcopy(game) == game
    kind, arguments = state.__reduce__()
    with pytest.raises(InvalidState):
        kind(arguments[0], b"\xff" * len(state.data))


def test_nothing_makes_a_state_around_the_constructor() -> None:
    state = glaux.make("hex").initial()
    empty = glaux.State.__new__(glaux.State)
    with pytest.raises(TypeError):
        object.__new__(glaux.State)
    with pytest.raises(TypeError):
        type("Mine", (glaux.State,), {})
    for call in (state.game.actions, state.game.native.actions):
        with pytest.raises((TypeError, InvalidState)):
            call(empty)
            pytest.fail("an object without content was taken for a state")
    for name in ("game", "data"):
        with pytest.raises(AttributeError):
            setattr(state, name, None)
    with pytest.raises(TypeError), pytest.warns(RuntimeWarning):
        state.__init__(state.game, b"")  # type: ignore[misc]
    with pytest.raises(TypeError):
        _core.Trusted()


def test_a_state_keeps_its_game_and_goes_with_it() -> None:
    game = glaux.make("hex", size=5)
    watched = weakref.ref(game)
    state = game.initial()
    del game
    assert state.game.actions(state)
    state.game.kept = state  # type: ignore[attr-defined]
    del state
    gc.collect()
    assert watched() is None


def test_states_match_and_compare() -> None:
    game = glaux.make("hex", size=5)
    match game.initial():
        case glaux.State(found, data):
            assert found is game and data == bytes(game.initial())
    for other in (3, None, game.play("c3")):
        assert game.initial() != other
    assert repr(game.play("c3")).startswith("<State of hex:size=5")


def test_an_array_that_another_thread_changes_was_copied() -> None:
    game = glaux.make("hex", size=5)
    rows = game.array([game.initial()] * 3).copy()
    checked = game.array(rows)
    rows[:] = 255
    assert (checked == game.array(game.initial())).all()
