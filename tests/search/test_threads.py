"""What is special about searches that several threads work at. The contract of all searches is theirs, too.

The order in which threads come back is drawn, so that it can be repeated, in cpp/tests/test_shared.cpp.
"""

from __future__ import annotations

import numpy as np
import pytest

import glaux
from glaux import _core
from glaux.errors import InvalidParameter
from glaux.search.registry import Entry, make_search
from tests.search import contract

OTHELLO = glaux.make("othello:size=6")
ENTRIES = contract.kinds(threads=3).values()
each_search = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)


@each_search
def test_it_plays_a_match(entry: Entry) -> None:
    contract.check_match(f"{entry.name}:evaluations=100,threads=2,value=playouts", OTHELLO)


@each_search
def test_it_goes_on_after_forgetting(entry: Entry) -> None:
    search = make_search(entry, OTHELLO, _core.NoiseValue())
    s = OTHELLO.initial()
    search.run(s, evaluations=2000)
    after = OTHELLO.apply(s, OTHELLO.actions(s)[0])
    search.forget_others(after)
    assert search.run(after, evaluations=2000).action in OTHELLO.actions(after)
    search.begin_match(2, keep=100)
    assert search.run(s, evaluations=2000).action in OTHELLO.actions(s)


def test_in_lock_step_with_others_they_have_one_thread_for_all() -> None:
    """So that what they find can be repeated."""
    s = OTHELLO.initial()
    found = []
    for threads in (1, 4):
        entries = contract.kinds(threads).values()
        searches = [make_search(entry, OTHELLO, _core.NoiseValue(), {"seed": 3}) for entry in entries]
        trees = glaux.run_many(searches, [s] * len(searches), evaluations=200)
        found.append([(tree.value, tree.children()) for tree in trees])
    assert found[0] == found[1]


def test_threads_ask_a_function_in_python() -> None:
    """Whatever thread asks: the function sees every state once, and the tree has its values."""
    seen: list[bytes] = []
    game = glaux.make("connect_four:rows=4,columns=4,length=3")

    def value(states: np.ndarray) -> np.ndarray:
        seen.extend(row.tobytes() for row in states)
        return np.array([row.sum() % 97 / 97 for row in states])

    search = glaux.UBFM(game, glaux.OnStates(value), threads=3)
    tree = search.run(game.initial(), evaluations=2000)
    assert tree.statistics.evaluations == len(seen)
    states, values = tree.learnable(leaves=True)
    leaves = {row.tobytes(): v for row, v in zip(states, values.tolist(), strict=True)}
    expanded = {row.tobytes() for row in tree.learnable()[0]}
    assert len(leaves) > len(expanded)
    for data in leaves.keys() - expanded:
        assert leaves[data] == np.float32(sum(data) % 97 / 97)


def test_wrong_numbers_get_a_sentence() -> None:
    for entry in ENTRIES:
        for threads in (0, -1, 1025):
            with pytest.raises(InvalidParameter, match="threads must be a whole number from 1 to 1,024"):
                make_search(entry, OTHELLO, None, {"threads": threads})
    with pytest.raises(InvalidParameter, match="RAVE plays its random matches with one thread"):
        glaux.MCTS(OTHELLO, rave=100, threads=2)
    with pytest.raises(InvalidParameter, match="with a policy runs in one thread"):
        glaux.MCTS(OTHELLO, policy=lambda planes: planes, threads=2)
    with pytest.raises(InvalidParameter, match="no setting 'threads'"):
        glaux.Descent(OTHELLO, threads=2)
