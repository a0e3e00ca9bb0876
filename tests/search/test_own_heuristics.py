"""Heuristics that a game in Python brings along, and those that a user adds."""

from __future__ import annotations

import doctest
import gc
import math
import re
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glaux
from glaux import Game, State, _core
from glaux.errors import BrokenRules, BrokenValue, InvalidParameter, UnknownName
from glaux.search import heuristics
from glaux.search.heuristics import Heuristic, available, make_heuristic, recommended, register
from tests.search.ends import ends_of

TINY = glaux.make("connect_four:rows=3,columns=3,length=3")
HEX = glaux.make("hex:size=3,swap=false")
TIC_TAC_TOE = glaux.make("docs/examples/tic_tac_toe.py")


class Heap(glaux.Rules):
    """Take 1 to 3 from a heap of tokens; who takes the last wins. The score is not to be trusted."""

    state = [("left", "i4"), ("second", "?"), ("taken", "i4", 2)]
    action_count = 4
    max_plies = 9
    symbols = ".o"

    def __init__(self, heap: int = 9) -> None:
        self.heap = int(heap)

    def initial(self) -> Any:
        return np.array((self.heap, False, (0, 0)), dtype=self.state)

    def first_player(self, s: Any) -> bool:
        return not s["second"]

    def actions(self, s: Any) -> Any:
        return [a for a in (1, 2, 3) if a <= s["left"]]

    def apply(self, s: Any, action: int) -> None:
        s["left"] -= action
        s["taken"][int(s["second"])] += action
        s["second"] = not s["second"]

    def outcome(self, s: Any) -> int | None:
        return None if s["left"] else (1 if s["second"] else -1)

    def action_text(self, s: Any, action: int) -> str:
        return str(action)

    def cells(self, s: Any) -> Any:
        return np.arange(max(1, self.heap))[None] < s["left"]

    def score(self, s: Any) -> float | None:
        return float(s["taken"][0] - s["taken"][1])


class OwnHeap(Heap):
    """What counts is how much the winner has taken."""

    def heuristic(self, s: Any) -> float | None:
        return float(10 + s["taken"][0] if s["second"] else -10 - s["taken"][1])


def test_a_score_that_contradicts_the_result_is_overruled() -> None:
    game = glaux.make(Heap)
    won = game.play("1 3 3 1 1")  # 5 tokens against 4
    lost = game.play("3 3 2 1")  # 5 against 4, and lost
    behind = game.play("1 3 1 3 1")  # 3 against 6, and won
    assert [game.outcome(s) for s in (won, lost, behind)] == [1, -1, 1]
    assert [game.score(s) for s in (won, lost, behind)] == [1, 1, -3]
    assert make_heuristic(game, "score").values([won, lost, behind]).tolist() == [1, -1, 1]


def test_a_python_game_without_a_word_about_it() -> None:
    assert recommended(glaux.make(Heap)) == "score"
    assert recommended(TIC_TAC_TOE) == "additive_depth"
    assert make_heuristic(TIC_TAC_TOE).text == "additive_depth:longest=10"
    win = TIC_TAC_TOE.play("a1 b1 a2 b2 a3")
    assert make_heuristic(TIC_TAC_TOE).value(win) == 5


def test_a_score_that_tells_no_more_than_the_result() -> None:
    pytest.importorskip("pyspiel")
    assert recommended(glaux.make("open_spiel:game=tic_tac_toe")) == "additive_depth"


def test_rules_may_name_one() -> None:
    named = type("Named", (OwnHeap,), {"recommended_heuristic": "additive_depth:longest=12"})
    heuristic = make_heuristic(glaux.make(named))
    assert heuristic.text == "additive_depth:longest=12"
    wrong = type("Named", (Heap,), {"recommended_heuristic": "depth"})
    with pytest.raises(UnknownName, match="There is no heuristic 'depth'"):
        make_heuristic(glaux.make(wrong))


@pytest.mark.parametrize("mobility", [False, True])
def test_rules_with_their_own_heuristic(mobility: bool) -> None:
    game = glaux.make(OwnHeap, mobility=mobility)
    heuristic = make_heuristic(game)
    assert heuristic.name == heuristic.text == "own"
    assert heuristic.value(game.play("1 3 3 1 1")) == 15
    assert heuristic.value(game.play("3 3 2 1")) == -14
    assert 10 < heuristic.scale < 20
    assert not heuristic.bounded
    tree = glaux.Descent(game, terminal_value=heuristic.native).run(game.initial(), seconds=600)
    assert tree.resolved
    assert tree.value > 10
    assert "own" not in available(TINY)


@pytest.mark.parametrize("given", ["nan", float("nan"), float("inf"), None, "much", [1, 2], 10**400])
def test_rules_whose_own_heuristic_is_wrong(given: Any) -> None:
    broken = type("Broken", (Heap,), {"heuristic": lambda self, s: given})
    with pytest.raises(BrokenRules, match=r"Broken\.heuristic gave .*, not a finite number\.$"):
        make_heuristic(glaux.make(broken))


class Alone(Heap):
    """One player takes all; good are heaps of which 2 or 3 are left over after fours, bad are fours."""

    players = 1

    def apply(self, s: Any, action: int) -> None:
        s["left"] -= action
        s["taken"][0] += action

    def outcome(self, s: Any) -> int | None:
        return None if s["left"] else int(np.sign(self.heap % 4 - 1))


@pytest.mark.parametrize(("heap", "outcome"), [(1, 0), (2, 1), (3, 1), (4, -1)])
def test_one_player(heap: int, outcome: int) -> None:
    game = glaux.make(Alone, heap=heap)
    for text in available(game):
        heuristic = make_heuristic(game, text)
        values = heuristic.values(ends_of(heuristic.game, 5, 1))
        # A draw is worth its score, if the score is what is learned.
        assert (np.sign(values) == (1 if outcome == 0 and text == "score" else outcome)).all()
    slowly = game.play(["1"] * heap)
    assert make_heuristic(game, "additive_depth:longest=20").value(slowly) == outcome * (20 - heap)
    assert make_heuristic(game, "score").value(slowly) == {1: heap, 0: heap, -1: -1}[outcome]


def test_a_match_of_no_action() -> None:
    """No length to divide by, and no decision to take a mean of: l is P', and M is 1."""
    game = glaux.make(Heap, heap=0)
    values = {
        "multiplicative_depth:average=5": -5,
        "multiplicative_depth": -1,
        "additive_depth": -1,
        "mobility": -1,
    }
    for text, expected in values.items():
        heuristic = make_heuristic(game, text)
        assert heuristic.game.outcome(heuristic.game.initial()) == -1
        assert heuristic.value(heuristic.game.initial()) == expected


@pytest.fixture
def name(monkeypatch: pytest.MonkeyPatch) -> str:
    """A name for a heuristic that is forgotten after the test."""
    monkeypatch.setattr(heuristics, "_added", {})
    return "test_own"


def test_a_registered_function(name: str) -> None:
    """As section 11.3 does for Arimaa: a bonus for the win, and what is on the board."""
    seen: list[tuple[Game, State, int]] = []

    def material(game: Game, state: State, result: int) -> float:
        seen.append((game, state, result))
        codes = game.cells(state)
        return 69 * result + int((codes == 1).sum()) - int((codes == 2).sum())

    register(name, material)
    register(name, material)
    game = glaux.make("breakthrough:rows=5,columns=3")
    assert name in available(game)
    heuristic = make_heuristic(game, name)
    assert (heuristic.text, heuristic.game, heuristic.bounded) == (name, game, False)
    assert 69 < heuristic.scale <= 75
    for end in ends_of(game, 20, 5):
        first, second = game.pieces(end)
        seen.clear()
        assert heuristic.value(end) == 69 * game.outcome(end) + first - second  # type: ignore[operator]
        assert seen == [(game, end, game.outcome(end))]
    tree = glaux.Descent(game, terminal_value=heuristic.native).run(game.initial(), iterations=200)
    states, values = tree.learnable()
    terminal = [i for i, s in enumerate(states) if game.native.status(s.tobytes()).terminal]
    assert len(terminal) > 10
    assert (np.abs(values[terminal]) > 60).all()
    assert all(row.c in (-1, 0, 1) for row in tree.children())
    assert make_heuristic(game, name).native is not heuristic.native


def test_a_registered_scale(name: str) -> None:
    register(name, lambda game, state, result: result / 2, scale=0.5)
    heuristic = make_heuristic(TINY, name)
    assert (heuristic.scale, heuristic.bounded) == (0.5, True)


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (lambda game, state, result: float("nan"), "The heuristic 'test_own' gave nan, not a finite number."),
        (lambda game, state, result: -math.inf, "The heuristic 'test_own' gave -inf, not a finite number."),
        (lambda game, state, result: 1e39, r"The heuristic 'test_own' gave 1e\+39, not a finite number."),
        (lambda game, state, result: "3", "The heuristic 'test_own' must give a number, not str."),
        (lambda game, state, result: None, "The heuristic 'test_own' must give a number, not NoneType."),
        (lambda game, state, result: 1, "order of the results: in .* a loss is worth 1 and a draw 1."),
        (lambda game, state, result: -result, "order of the results: in .* a loss is worth 1 and a draw 0"),
        (lambda game, state, result: max(result, 0), "a loss is worth 0 and a draw 0"),
        (lambda game, state, result: min(result, 0), "a draw is worth 0 and a win 0"),
    ],
)
def test_functions_that_are_wrong(name: str, function: Callable[..., Any], complaint: str) -> None:
    register(name, function)
    with pytest.raises(BrokenValue, match=complaint):
        make_heuristic(TINY, name)


def test_the_order_of_wins_and_losses_alone(name: str) -> None:
    """Hex has no draws between them."""
    register(name, lambda game, state, result: 3 - game.ply(state) / 100)
    with pytest.raises(BrokenValue, match=r"a loss is worth .* and a win"):
        make_heuristic(HEX, name)


def test_what_a_function_raises_comes_out(name: str) -> None:
    zero = 1

    def failing(game: Game, state: State, result: int) -> float:
        return result / zero

    register(name, failing)
    heuristic = make_heuristic(TINY, name)
    search = glaux.Descent(TINY, terminal_value=heuristic.native)
    search.run(TINY.initial(), iterations=1)
    zero = 0
    with pytest.raises(ZeroDivisionError):
        search.run(TINY.initial(), iterations=50)
    zero = 1
    assert search.run(TINY.initial(), seconds=600).resolved


def test_a_function_and_its_heuristic_are_collected(name: str) -> None:
    """The function refers to the heuristic that refers to it, through native memory."""

    class Holder:
        heuristic: Heuristic

    def cycle() -> weakref.ref[Holder]:
        holder = Holder()

        def function(data: bytes, result: int) -> float:
            assert holder.heuristic is not None
            return result

        native = _core.PythonTerminalValue(name, function)
        holder.heuristic = Heuristic(name, name, TINY, native, 1.0, True)
        assert holder.heuristic.value(TINY.play("1 2 1 2 1")) == 1
        return weakref.ref(holder)

    gone = cycle()
    gc.collect()
    assert gone() is None


def test_the_page_shows_what_happens(name: str) -> None:
    """``name`` also forgets what the page registers."""
    page = Path("docs/algorithms/heuristics.md").read_text()
    examples = "\n".join(re.findall(r"```pycon\n(.*?)```", page, flags=re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "heuristics.md", None, None)
    assert len(test.examples) > 10
    problems: list[str] = []
    failed, _ = doctest.DocTestRunner().run(test, out=problems.append)
    assert not failed, "".join(problems)


def test_impossible_registrations(name: str) -> None:
    register(name, lambda game, state, result: result)
    for taken in (name, "score", "own", "recommended"):
        with pytest.raises(InvalidParameter, match=f"There is already a heuristic '{taken}'"):
            register(taken, lambda game, state, result: result)
    for wrong in ("", "My own", "a:b", "depth=3", "9"):
        with pytest.raises(InvalidParameter, match="A heuristic's name must consist of"):
            register(wrong, lambda game, state, result: result)
    with pytest.raises(InvalidParameter, match="A heuristic must be a function"):
        register("test_other", 3)  # type: ignore[arg-type]
    for scale in (0, -1, math.nan, math.inf):
        with pytest.raises(InvalidParameter, match="The scale of a heuristic"):
            register("test_other", lambda game, state, result: result, scale=scale)
    assert "test_other" not in available(TINY)
