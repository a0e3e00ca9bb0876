"""Values that are remembered: the same search, and fewer states for the function."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glaux
from glaux.errors import BrokenValue, InvalidParameter
from glaux.players.registry import make_player
from glaux.players.searching import SearchPlayer
from glaux.search.registry import SEARCHES, make_search
from glaux.values.remembering import Remembering
from tests.boards import GAMES, small_game
from tests.values.positions import terminal_pairs


def planes_value(planes: Any) -> Any:
    """Some value of the planes alone, each of which counts."""
    weights = np.cos(np.arange(planes[0].size) * 0.7)
    return np.tanh(planes.reshape(len(planes), -1) @ weights * 0.3)


@pytest.mark.parametrize("name", [name for name, entry in SEARCHES.items() if name != "mcts"])
@pytest.mark.parametrize("game", GAMES)
def test_searches_are_the_same_with_fewer_evaluations(game: str, name: str) -> None:
    board, entry = small_game(game), SEARCHES[name]
    given: list[bytes] = []

    def recorded(planes: Any) -> Any:
        given.extend(plane.tobytes() for plane in planes)
        return planes_value(planes)

    remembering = Remembering(recorded, 100_000)
    plain, kept = (make_search(entry, board, value, {"seed": 3}) for value in (planes_value, remembering))
    state = board.initial()
    for _ in range(4):
        limits = {"iterations": entry.iterations, "evaluations": None if entry.iterations else 600}
        trees = [search.run(state, **limits) for search in (plain, kept)]  # type: ignore[arg-type]
        assert trees[0].children() == trees[1].children()
        assert trees[0].statistics.evaluations == trees[1].statistics.evaluations
        assert trees[0].action == trees[1].action
        state = board.apply(state, trees[0].action)
        if board.terminal(state):
            break
    assert len(given) == len(set(given)) == remembering.evaluated <= remembering.asked


def test_orders_of_moves_that_differ_in_history_alone_are_valued_once() -> None:
    board = glaux.make("surakarta")
    remembering = Remembering(planes_value, 100_000)
    make_search("alphabeta", board, remembering, {"seed": 1}).run(board.initial(), evaluations=5000)
    assert remembering.evaluated < 0.9 * remembering.asked


def test_no_more_is_kept_than_was_said() -> None:
    remembering = Remembering(planes_value, 10)
    for start in range(0, 1000, 4):
        batch = np.arange(start, start + 4, dtype=np.float32)[:, None]
        assert remembering(batch) == pytest.approx(planes_value(batch))
        assert len(remembering._young) + len(remembering._old) <= 2 * 10 + 4
    before = remembering.evaluated
    remembering(np.arange(990, 1000, dtype=np.float32)[:, None])
    assert remembering.evaluated == before  # the last ones are still there
    remembering(np.zeros((5, 1), np.float32))
    assert remembering.evaluated == before + 1


def test_what_has_learned_is_asked_anew() -> None:
    game = glaux.make("connect_four:rows=4,columns=4,length=3")
    network = glaux.NeuralNetwork(game, "small", seed=1)
    remembering = Remembering(network, 100)
    assert getattr(remembering, "game", None) == game
    planes = game.native.encode(game.array(game.initial())).copy()
    before = remembering(planes)
    network.fit(*terminal_pairs(game, 200, seed=1), epochs=2)
    assert remembering(planes) == pytest.approx(network(planes), abs=1e-6)
    assert remembering(planes) != pytest.approx(before, abs=1e-6)


def test_players_remember(tmp_path: Path) -> None:
    game = glaux.make("connect_four:rows=4,columns=4,length=3")
    glaux.NeuralNetwork(game, "small", seed=1).save(tmp_path / "network")
    texts = [f"alphabeta:value={tmp_path / 'network'},depth=4{more}" for more in ("", ",remember=1000")]
    plain, kept = (make_player(text, game, 1) for text in texts)
    assert plain.choose(game.initial()) == kept.choose(game.initial())
    assert isinstance(kept, SearchPlayer) and isinstance(kept.search.value, Remembering)
    assert kept.search.value.evaluated < kept.search.value.asked


def test_what_can_t_be_remembered(tmp_path: Path) -> None:
    game = glaux.make("hex:size=4")
    glaux.NTupleNetwork(game, seed=1).save(tmp_path / "tuples")
    with pytest.raises(InvalidParameter, match="faster than a cache"):
        make_player(f"ubfm:value={tmp_path / 'tuples'},remember=10", game, 1)
    with pytest.raises(InvalidParameter, match="remember is for neural networks, not for value=playouts"):
        make_player("mcts:remember=10", game, 1)
    with pytest.raises(InvalidParameter, match="at least 1 value"):
        Remembering(planes_value, -1)
    with pytest.raises(BrokenValue, match="one value per state"):
        Remembering(lambda planes: np.zeros((len(planes), 2)), 10)(np.zeros((3, 1)))
