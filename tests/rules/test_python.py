"""Games written in Python: the example of the docs, and what happens to rules that are wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glaux
from glaux.errors import BrokenRules, InvalidParameter, InvalidState

EXAMPLE = Path("docs/examples/tic_tac_toe.py")


class Countdown(glaux.Rules):
    """Take 1 to 3 from a heap until it is empty; the first player wins whatever happens."""

    state = "i4"
    action_count = 4
    symbols = ".o"

    def __init__(self, heap: int = 5) -> None:
        self.heap = int(heap)
        self.max_plies = self.heap

    def initial(self) -> Any:
        return self.heap

    def first_player(self, s: Any) -> bool:
        return s >= 0

    def actions(self, s: Any) -> Any:
        return [a for a in (1, 2, 3) if a <= abs(s)]

    def apply(self, s: Any, action: int) -> None:
        left = abs(int(s)) - action
        s[...] = -left if s > 0 else left

    def outcome(self, s: Any) -> int | None:
        return None if s != 0 else 1

    def cells(self, s: Any) -> Any:
        return np.arange(self.heap)[None] < abs(s)


def wrong(**methods: Any) -> type[glaux.Rules]:
    return type("Wrong", (Countdown,), methods)


def test_the_docs_show_the_example() -> None:
    example = EXAMPLE.read_text().partition("\n\n")[2]
    assert example.strip() in Path("docs/python-games.md").read_text()


@pytest.mark.slow
def test_tic_tac_toe_has_its_255168_matches() -> None:
    """The number of complete matches, a classic: 5, 6, 7, 8 and 9 moves long."""
    game = glaux.make(str(EXAMPLE))
    lengths = {5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872}
    assert sum(lengths.values()) == 255168
    assert [game.perft(d) for d in range(7)] == [1, 9, 72, 504, 3024, 15120, 54720]
    # 54720 = 60480 - 5760: the 1440 matches that ended after 5 moves would each have had 4 more.
    assert 15120 * 4 - lengths[5] * 4 == 54720


def test_parameters_are_arguments_of_init() -> None:
    game = glaux.make(Countdown, heap=7)
    assert game.text == "countdown:heap=7"
    assert game.cells(game.initial()).sum() == 7
    with pytest.raises(InvalidParameter, match="did you mean 'heap'"):
        glaux.make(Countdown, heep=7)


def test_rules_may_take_any_arguments() -> None:
    class Passing(Countdown):
        def __init__(self, *more: str, **settings: str) -> None:
            assert not more
            super().__init__(**settings)  # type: ignore[arg-type]

    assert glaux.make(Passing).perft(2) == glaux.make(Countdown).perft(2)
    assert glaux.make(Passing, heap=7).cells(glaux.make(Passing, heap=7).initial()).sum() == 7


def test_registered_games_are_made_by_name() -> None:
    glaux.register(Countdown)
    assert "countdown" in glaux.games()
    assert glaux.make("countdown:heap=3").perft(3) == 1
    with pytest.raises(InvalidParameter, match="already"):
        glaux.register(type("Countdown", (glaux.Rules,), {}))
    with pytest.raises(InvalidParameter, match="already"):
        glaux.register(type("Othello", (glaux.Rules,), {}))


@pytest.mark.parametrize(
    "rules, sentence",
    [
        (wrong(actions=lambda self, s: [1, 9]), r"Wrong\.actions gave 9, but the actions are 0 to 3"),
        (wrong(actions=lambda self, s: [1, 1]), r"Wrong\.actions gave the same action twice"),
        (wrong(actions=lambda self, s: ["a"]), r"Wrong\.actions gave .*not a list of numbers"),
        (wrong(actions=lambda self, s: None), r"Wrong\.actions gave None"),
        (wrong(actions=lambda self, s: []), r"Wrong\.actions gave no actions, but outcome"),
        (wrong(outcome=lambda self, s: 2), r"Wrong\.outcome gave 2, not \+1, 0, -1 or None"),
        (wrong(first_player=lambda self, s: "X"), r"Wrong\.first_player gave 'X'"),
        (wrong(cells=lambda self, s: [[9, 9]]), r"Wrong\.cells gave a code that is not 0 to 1"),
        (wrong(cells=lambda self, s: [1]), r"Wrong\.cells gave an array of shape \(1,\)"),
        (wrong(cells=lambda self, s: [[0.5]]), r"Wrong\.cells gave a code"),
        (wrong(initial=lambda self: "x"), r"Wrong\.initial gave 'x', not a state"),
        (wrong(initial=lambda self: [1, 2]), r"Wrong\.initial gave an array of shape \(2,\)"),
        (wrong(apply=lambda self, s, a: s), r"Wrong\.apply gave a value, but it must change"),
        (wrong(apply=lambda self, s, a: None), r"A match of Wrong went on past its max_plies, 5"),
        (wrong(encode=lambda self, s: [1.0]), r"Wrong\.encode gave an array of shape \(1,\)"),
        (wrong(encode=lambda self, s: [[[np.nan]]]), r"Wrong\.encode gave .*NaN"),
        (wrong(state=object), r"Wrong\.state must be of a fixed size"),
        (wrong(state="nonsense"), r"Wrong\.state is not a numpy dtype"),
        (wrong(players=3), r"Wrong\.players must be 1 or 2"),
        (wrong(symbols=["a", "bb"]), r"Wrong\.symbols must all have the same width"),
        (wrong(action_count=0), r"at least 1"),
        (wrong(ply=lambda self, s: -1), r"Wrong\.ply gave -1"),
        (wrong(ply=lambda self, s: "x"), r"Wrong\.ply gave 'x'"),
        (wrong(outcome=lambda self, s: np.array([0])), r"Wrong\.outcome gave array\(\[0\]\)"),
        (wrong(pieces=lambda self, s: 3), r"Wrong\.pieces gave 3, not two numbers"),
        (wrong(score=lambda self, s: "x", outcome=lambda self, s: 0), r"Wrong\.score gave 'x', not a number"),
        (wrong(action_count="x"), r"at least 1 and below 2\^31, not 'x'"),
        (wrong(action_count=2**40), r"below 2\^31"),
        (type("Empty", (glaux.Rules,), {}), r"Empty needs the attribute state"),
    ],
)
def test_nonsense_becomes_one_sentence(rules: type[glaux.Rules], sentence: str) -> None:
    with pytest.raises(BrokenRules, match=sentence) as caught:
        game = glaux.make(rules)
        game.encode(game.initial())
        game.first_player(game.initial())
        game.ply(game.initial())
        game.playouts(game.initial(), 20)
    assert "\n" not in str(caught.value)
    assert glaux.make(Countdown).perft(2) == 8, "the process stays healthy"


def test_where_actions_happen() -> None:
    """As the rules say, or else by the names in the text, or by the one cell that changes."""
    start = glaux.make(Countdown).initial()
    silent = start.game
    assert [silent.action_cells(start, action) for action in silent.actions(start)] == [[], [], []]
    for cells, sentence in (
        ([5], r"gave \[5\], but the cells are 0 to 4"),
        (7, "gave 7, not a list"),
        ([3, 0], ""),
    ):
        rules = type("Saying", (Countdown,), {"action_cells": lambda self, s, a, cells=cells: cells})
        game = glaux.make(rules)
        if sentence:
            with pytest.raises(BrokenRules, match=sentence):
                game.action_cells(game.initial(), 1)
        else:
            assert game.action_cells(game.initial(), 1) == cells
    for text in (str(EXAMPLE), "open_spiel:game=tic_tac_toe"):
        game = glaux.make(text)
        assert [game.action_cells(game.initial(), action) for action in range(9)] == [[i] for i in range(9)]


def test_unknown_symmetry() -> None:
    with pytest.raises(InvalidParameter, match="must be one of none, mirror, half_turn, square"):
        glaux.make(wrong(symmetry="round"))


def test_an_exception_of_the_user_comes_out_unchanged() -> None:
    def apply(self: glaux.Rules, s: Any, action: int) -> None:
        raise ZeroDivisionError("mine")

    game = glaux.make(wrong(apply=apply))
    with pytest.raises(ZeroDivisionError, match="mine"):
        game.playouts(game.initial(), 3)
    with pytest.raises(ZeroDivisionError, match="mine"):
        game.perft(3)


def test_a_missing_method_is_named() -> None:
    rules = type("Half", (glaux.Rules,), {"state": "i1", "action_count": 1, "max_plies": 1})
    with pytest.raises(BrokenRules, match=r"Half needs a method cells\(s\)"):
        glaux.make(rules)


def test_check_refuses_states_from_outside() -> None:
    class Checked(Countdown):
        def check(self, s: Any) -> str | None:
            return "The heap is too large." if abs(s) > self.heap else None

    game = glaux.make(Checked)
    data = np.array(77, dtype="i4").tobytes() + bytes(game.spec.state_size - 4)
    with pytest.raises(InvalidState, match="The heap is too large"):
        game.state(data)


def test_texts_of_states() -> None:
    game = glaux.make(Countdown)
    text = game.state_text(game.initial())
    assert re.fullmatch(r"ooooo [0-9a-f]+", text)
    for bad in ("", "zz", text[:-2], "....." + text[5:], text.replace("05", "02", 1), text[:-2] + "ff"):
        with pytest.raises(InvalidState):
            game.parse_state(bad)


def test_files_that_are_no_games(tmp_path: Path) -> None:
    empty = tmp_path / "empty.py"
    empty.write_text("x = 1\n")
    broken = tmp_path / "broken.py"
    broken.write_text("import nothing_like_this\n")
    for text, sentence in [
        (str(tmp_path / "none.py"), "There is no file"),
        (str(empty), "has 0 subclasses"),
        (f"{empty}:Game", "has no rules 'Game'"),
        (str(broken), "can't be loaded: ModuleNotFoundError"),
        (f"{EXAMPLE}:TicTacTo", "did you mean 'TicTacToe'"),
    ]:
        with pytest.raises(glaux.GlauxError, match=sentence):
            glaux.make(text)
    assert glaux.make(f"{EXAMPLE}:TicTacToe") == glaux.make(f"{EXAMPLE}:TicTacToe")


def test_wide_boards_have_names_for_all_cells() -> None:
    game = glaux.make(Countdown, heap=60)
    names = [game.spec.board.cell_text(cell) for cell in (0, 25, 26, 51, 52)]
    assert names == ["a1", "z1", "aa1", "az1", "ba1"]
    assert str(game.initial()).splitlines()[0].split()[-1] == "bh"


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"exchanged_codes": (0, 2)}, "must map cells and codes one to one"),
        ({"exchanged_codes": (1, 2, 0)}, "doing it twice must change nothing"),
        ({"exchanged_cells": "upside_down"}, "exchanged_cells must be one of identity"),
        ({"exchange": glaux.Rules.exchange}, "has exchanged_codes: it needs a method exchange"),
        ({"exchange": lambda _self, _s, _map: [1, 2]}, "exchange gave an array of shape"),
    ],
)
def test_players_that_can_t_be_exchanged(attributes: dict[str, Any], message: str) -> None:
    tic_tac_toe = type(glaux.make("docs/examples/tic_tac_toe.py").adapter.rules)  # type: ignore[union-attr]
    with pytest.raises(glaux.GlauxError, match=message):
        game = glaux.make(type("Broken", (tic_tac_toe,), attributes))
        game.exchange(game.initial())
