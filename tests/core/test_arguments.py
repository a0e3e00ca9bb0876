"""Arguments that once ended the process, or made it hang, each with the sentence that it gets now."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import glaux
from glaux import _core
from glaux.errors import BrokenRules, BrokenValue, InvalidParameter, InvalidState
from glaux.search.registry import SEARCHES, make_search
from tests.core.specimens import Liar

GAME = glaux.make("hex", size=4)
ROOT = GAME.initial()


@pytest.mark.parametrize("name", list(SEARCHES))
def test_a_decision_before_a_run(name: str) -> None:
    search = make_search(name, GAME)
    with pytest.raises(InvalidState, match="has not"):
        search.native.decision()
    search.native.start(ROOT, _core.Limits())
    with suppress(InvalidState):  # MCTS knows the actions from the start
        assert search.native.decision() in GAME.actions(ROOT)
    search.clear()
    with pytest.raises(InvalidState, match="has not"):
        search.native.decision()


@pytest.mark.parametrize("cell", [-1, 16, 2**31 - 1, -(2**31)])
def test_cells_that_there_are_not(cell: int) -> None:
    spec = GAME.spec
    calls: list[Callable[[int], object]] = [spec.code_count, spec.board.has, spec.board.cell_text]
    for call in [*calls, spec.board.board_of]:
        with pytest.raises(InvalidParameter, match="cells 0 to 15"):
            call(cell)
    with pytest.raises(InvalidParameter, match="columns 0 to 3"):
        spec.board.column_text(cell)


@pytest.mark.parametrize(
    ("rows", "columns"), [(0, 0), (0, 5), (5, 0), (-1, 3), (2**31 - 1, 2**31 - 1), (200, 200)]
)
def test_boards_that_there_are_not(rows: int, columns: int) -> None:
    board = _core.Board()
    board.rows, board.columns = rows, columns
    calls: list[Callable[[], object]] = [board.neighbours, board.square_symmetries, board.identity]
    calls += [board.hexagonal_symmetries, board.mirror_columns, board.half_turn]
    calls += [lambda: board.cell_text(0), lambda: board.column_text(0), lambda: board.has(0)]
    calls += [lambda: board.board_of(0)]
    for call in calls:
        with pytest.raises(InvalidParameter, match="cells, not"):
            call()


def test_boards_that_contradict_themselves() -> None:
    board = _core.Board()
    board.rows = board.columns = 3
    board.present = [True] * 4
    with pytest.raises(InvalidParameter, match="each of its 9 cells"):
        board.has(8)
    board.present = []
    for part in ((0, 0, 4, 3), (-1, 0, 1, 1), (2, 2, 2**31 - 1, 1), (0, 0, 0, 0)):
        board.boards = [_core.BoardPart(*part)]
        with pytest.raises(InvalidParameter, match="outside"):
            board.neighbours()


@pytest.mark.parametrize("depth", [-1, -(2**31)])
def test_perft_of_a_negative_depth(depth: int) -> None:
    with pytest.raises(InvalidParameter, match="depth"):
        GAME.native.perft(ROOT, depth)
    for wrong in (depth, 2**31, 10**30):
        with pytest.raises(InvalidParameter, match="depth"):
            GAME.perft(wrong)


def learner(**options: Any) -> _core.TdLearner:
    network = _core.NTuple(GAME.native, [[0, 1]], _core.NTupleOptions())
    chosen = _core.TdOptions()
    for name, value in options.items():
        setattr(chosen, name, value)
    return _core.TdLearner(GAME.native, network, _core.TerminalValue(), chosen)


@pytest.mark.parametrize("threads", [0, -1, 1025, 2**31 - 1])
def test_a_training_without_threads(threads: int) -> None:
    with pytest.raises(InvalidParameter, match="threads"):
        learner().run(0, 5, threads=threads)


@pytest.mark.parametrize(
    "options",
    [
        {"gamma": math.nan},
        {"cut": 0.0},
        {"step_reward": math.inf},
        {"starts": _core.Starts(math.nan, 1, 1)},
        {"starts": _core.Starts(0.5, 5, 1)},
        {"most_plies": -1},
    ],
)
def test_trainings_that_there_are_not(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameter):
        learner(**options)
    with pytest.raises(InvalidParameter, match="share"):
        learner().run(0, 1, 0, math.nan)


@pytest.mark.parametrize("name", list(SEARCHES))
@pytest.mark.parametrize("memory", [1, 1000, 2**48 - 1, 2**48, 2**63, 2**64 - 1])
def test_budgets_that_there_are_not(name: str, memory: int) -> None:
    """A budget is refused with a sentence, or it is kept."""
    kind: Any = type(make_search(name, GAME).native)
    options = getattr(_core, f"{kind.__name__}Options")()
    options.memory = memory
    try:
        search = kind(GAME.native, _core.TerminalValue(), options)
    except InvalidParameter as error:
        assert "memory" in str(error)
        return
    limits = _core.Limits()
    limits.iterations = 10
    search.start(ROOT, limits)
    _core.run([([search], _core.NoiseValue())])
    assert search.decision() in GAME.actions(ROOT) and search.bytes <= memory


@pytest.mark.parametrize("name", list(SEARCHES))
def test_the_smallest_budgets(name: str) -> None:
    """Just below and from the least that a search says it needs."""
    kind: Any = type(make_search(name, GAME).native)
    options = getattr(_core, f"{kind.__name__}Options")()
    options.memory = 1
    with pytest.raises(InvalidParameter, match="at least") as refused:
        kind(GAME.native, _core.TerminalValue(), options)
    needed = int(str(refused.value).split("at least ")[1].split()[0])
    for memory in range(needed, needed + 4000, 97):
        options.memory = memory
        search = kind(GAME.native, _core.TerminalValue(), options)
        limits = _core.Limits()
        limits.evaluations = 200  # no iteration of alpha-beta ends by its memory
        state = ROOT
        while not GAME.terminal(state):
            search.start(state, limits)
            _core.run([([search], _core.NoiseValue())])
            assert search.bytes <= memory
            state = GAME.apply(state, search.decision())


def test_parts_that_there_are_not() -> None:
    for parts in (0, -1, 1025, 2**31 - 1):
        with pytest.raises(InvalidParameter, match="parts"):
            _core.LockStep(_core.ZeroValue(), parts, False)


def test_random_matches_that_there_are_not() -> None:
    for count in (0, -1):
        with pytest.raises(InvalidParameter, match="at least one random match"):
            _core.PlayoutValue(count, 1)


def test_many_random_matches_heed_signals() -> None:
    """Two thousand million of them take an hour, but not after Ctrl-C."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    begun = time.perf_counter()
    try:
        with pytest.raises(KeyboardInterrupt):
            _core.PlayoutValue(2**31 - 1, 1).evaluate(GAME.native, GAME.array(ROOT))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.perf_counter() - begun < 240


@pytest.mark.parametrize("number", [math.nan, math.inf, -1.0, 0.0, 1e300])
def test_heuristics_that_there_are_not(number: float) -> None:
    with pytest.raises(InvalidParameter):
        _core.MultiplicativeDepth(number)
    if not -1e30 < number < 1e30:
        for win, draw, worth in ((number, 0.0, [0.0]), (1.0, number, [0.0]), (1.0, 0.0, [number])):
            with pytest.raises(InvalidParameter):
                _core.Material(win, draw, worth)
        with pytest.raises(InvalidParameter):
            _core.ScoreAgainst(number)


def test_more_that_there_is_not() -> None:
    for top in (0, -(2**31), 2**31 - 1):
        with pytest.raises(InvalidParameter):
            _core.AdditiveDepth(top)
    limits = _core.Limits()
    for seconds in (math.nan, -1.0):
        with pytest.raises(InvalidParameter):
            limits.seconds = seconds
    rng = _core.Rng(1)
    with pytest.raises(InvalidParameter, match="zeros"):
        rng.words = [0, 0, 0, 0]
    with pytest.raises(InvalidParameter, match="already"):
        _core.with_mobility(_core.with_mobility(GAME.native))
    for groups in ([([None], _core.ZeroValue())], [([glaux.UBFM(GAME).native], None)]):
        with pytest.raises((InvalidParameter, TypeError)):
            _core.run(groups)  # type: ignore[arg-type]
    with pytest.raises((InvalidParameter, TypeError)):
        _core.BestFirst(GAME.native, None, _core.BestFirstOptions())  # type: ignore[arg-type]


def test_a_table_larger_than_the_computer() -> None:
    tuples = [list(range(k, k + 16)) for k in range(9)]
    game = glaux.make("lines_of_action")
    with pytest.raises(InvalidParameter, match=r"weights|memory|GB"):
        _core.NTuple(game.native, tuples * 30, _core.NTupleOptions())


def changed_spec(**fields: Any) -> _core.Spec:
    spec = GAME.native.spec
    for name, value in fields.items():
        setattr(spec, name, value)
    return spec


@pytest.mark.parametrize(
    "fields",
    [
        {"state_size": 0},
        {"state_size": 12},
        {"state_size": 2**40},
        {"players": 3},
        {"action_count": 0},
        {"max_actions": -1},
        {"max_plies": -1},
        {"symbols": []},
        {"symbols": ["."] * 300},
        {"code_counts": [3]},
        {"code_counts": [-1] * 16},
        {"neighbours": [[99]] * 16},
        {"planes": []},
        {"plane_rows": 0},
        {"plane_columns": 2**31 - 1},
        {"symmetries": [[99] * 16]},
        {"symmetries": [[0] * 16]},
        {"symmetries": []},
        {"state_symmetries": -1},
        {"max_score": math.nan},
        {"board": _core.Board()},
    ],
)
def test_specs_that_there_are_not(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameter):
        _core.python_game(changed_spec(**fields), Liar())


class Answers:
    """Rules that give what they are told to, and otherwise what Hex would."""

    def __init__(self, **answers: Any) -> None:
        self.answers = answers

    def __getattr__(self, name: str) -> Callable[..., Any]:
        usual = {
            "initial": bytes(8),
            "status": (0, 2),
            "actions": [0, 1],
            "apply": bytes(8),
            "measures": (0, 0.0, 0, 0),
            "validate": None,
            "cells": np.zeros((1, 4, 4), np.uint8),
        }
        if name == "expand":
            return lambda *_: self.children(**(usual | self.answers))
        return lambda *_: self.answers.get(name, usual.get(name))

    @staticmethod
    def children(actions: Any, apply: Any, status: Any, **_: Any) -> Any:
        """All at once, each as the other answers say."""
        count = len(actions)
        return actions, apply * count, [status[0]] * count, [status[1]] * count


@pytest.mark.parametrize(
    ("answers", "call"),
    [
        ({"status": (7, 2)}, lambda game: game.status(bytes(8))),
        ({"status": (0, 9)}, lambda game: game.status(bytes(8))),
        ({"status": None}, lambda game: game.status(bytes(8))),
        ({"actions": [3, 1]}, lambda game: game.actions(bytes(8))),
        ({"actions": [99]}, lambda game: game.actions(bytes(8))),
        ({"actions": [-1]}, lambda game: game.actions(bytes(8))),
        ({"actions": 3}, lambda game: game.actions(bytes(8))),
        ({"apply": b"123"}, lambda game: game.apply(bytes(8), 0)),
        ({"apply": None}, lambda game: game.apply(bytes(8), 0)),
        ({"measures": (0, math.nan, 0, 0)}, lambda game: game.measures(bytes(8))),
        ({"measures": (-1, 0.0, 0, 0)}, lambda game: game.measures(bytes(8))),
        ({"cells": np.full((1, 4, 4), 9, np.uint8)}, lambda game: game.cells(np.zeros((1, 8), np.uint8))),
        ({"cells": np.zeros((1, 3, 3), np.uint8)}, lambda game: game.cells(np.zeros((1, 8), np.uint8))),
        ({"transform_action": 99}, lambda game: game.transform_action(bytes(8), 0, 0)),
        ({"action_text": "\udcff"}, lambda game: game.action_text(bytes(8), 0)),
    ],
)
def test_rules_that_answer_wrongly(answers: dict[str, Any], call: Callable[[_core.Game], object]) -> None:
    rules = Answers(**answers)
    with pytest.raises(BrokenRules):
        call(_core.python_game(changed_spec(state_size=8), rules))


@pytest.mark.parametrize("name", list(SEARCHES))
def test_rules_without_a_way_on(name: str) -> None:
    """No action in a state that goes on: only rules from outside can say that."""
    rules = Answers(actions=[])
    game = _core.python_game(changed_spec(state_size=8), rules)
    kind: Any = type(make_search(name, GAME).native)
    search = kind(game, _core.TerminalValue(), getattr(_core, f"{kind.__name__}Options")())
    limits = _core.Limits()
    limits.iterations = 5
    with pytest.raises(BrokenRules, match="no legal action"):
        search.start(bytes(8), limits)
        _core.run([([search], _core.ZeroValue())])


def test_an_answer_that_is_none() -> None:
    for given in (None, 3, np.zeros(3), (1, 2, 3)):
        value = _core.PythonValue(lambda *_, given=given: given, False, True)
        with pytest.raises(BrokenValue):
            value.evaluate(GAME.native, GAME.array(ROOT))


def test_a_text_that_is_no_text() -> None:
    """Bytes of a command line that are no UTF-8 come in as half characters."""
    for text in ("\udcff", "a\ud800", "\udcff" * 100):
        with pytest.raises(InvalidState):
            GAME.parse_state(text)
    for text in ("é" * 50, "x" * 100_000, "\0", "\uff11"):
        with pytest.raises(InvalidState):
            GAME.parse_state(text)


def test_arrays_of_other_kinds() -> None:
    rows = GAME.array([ROOT] * 4)
    expected = GAME.native.encode(rows)
    assert (GAME.native.encode(np.asfortranarray(rows)) == expected).all()
    assert (GAME.native.encode(np.repeat(rows, 2, axis=0)[::2]) == expected).all()
    read_only = rows.copy()
    read_only.flags.writeable = False
    assert (GAME.native.encode(read_only) == expected).all()
    assert GAME.native.encode(rows[:0]).shape[0] == 0 == GAME.native.cells(rows[:0]).shape[0]
    assert GAME.native.playouts(rows[:0], _core.Rng(1)).shape == rows[:0].shape
    wrong: list[Any] = [
        rows[0],
        rows[None],
        rows[:, :-1],
        None,
        [1],
        rows.tolist(),
    ]
    for array in wrong:
        with pytest.raises((TypeError, InvalidState)):
            GAME.native.encode(array)
        with pytest.raises((TypeError, InvalidState)):
            GAME.encode(array)
