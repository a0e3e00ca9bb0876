"""What GUIs and controllers sent when they were tried: Sabaki's controller, Quarry, python-ataxx."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

import glaux
from glaux.engine.gtp import GtpEngine
from glaux.errors import EngineError
from glaux.rules.game import State
from tests.engine.test_analysis import infos, stream
from tests.engine.test_gtp import ask, engine_of, refusal

# Sabaki replays a position as moves of any colours, in any order.


def board(text: str) -> set[tuple[str, str]]:
    """The stones of showboard on a board of single digits."""
    rows = [line.split() for line in text.splitlines() if re.match(r"\s*[1-9] ", line)]
    return {
        ("ABCDEFGHJ"[i] + row[0], stone) for row in rows for i, stone in enumerate(row[1:]) if stone in "XO"
    }


def test_stones_are_set_up_by_playing_them() -> None:
    engine = engine_of("go:size=9")
    ask(engine, "komi 0", "boardsize 9", "clear_board")
    ask(engine, "play B C3", "play B G7", "play B E5", "play W D4")
    stones = {("C3", "X"), ("G7", "X"), ("E5", "X"), ("D4", "O")}
    assert board(ask(engine, "showboard")) == stones
    assert "illegal move" in refusal(engine, "play B E5") and board(ask(engine, "showboard")) == stones
    ask(engine, "komi 6.5")
    for left in (3, 2, 1, 0):
        assert len(board(ask(engine, "undo", "showboard"))) == left
    assert "nothing to undo" in refusal(engine, "undo")
    assert engine.session.state.game.parameters["komi"] == 6.5


def test_either_colour_can_be_asked_for_a_move() -> None:
    engine = engine_of("go:size=5", "mcts:iterations=20")
    ask(engine, "play B C3")
    before = ask(engine, "glaux-state")
    assert ask(engine, "reg_genmove B") and ask(engine, "glaux-state") == before
    move = ask(engine, "genmove B")
    assert (move, "X") in board(ask(engine, "showboard"))
    assert ask(engine, "undo", "glaux-state") == before


def test_either_colour_can_be_analysed() -> None:
    engine = engine_of("go:size=5", "mcts:iterations=200")
    ask(engine, "play B C3")
    before = ask(engine, "glaux-state")
    assert infos(stream(engine, "kata-analyze B 1 ownership true")[1])
    assert ask(engine, "glaux-state") == before
    *_, play, _, _ = stream(engine, "kata-genmove_analyze B 1")
    assert (play.removeprefix("play "), "X") in board(ask(engine, "showboard"))
    assert ask(engine, "undo", "glaux-state") == before


def test_a_match_goes_on_after_two_passes() -> None:
    """As when players do not agree about what is dead."""
    engine = engine_of("go:size=5")
    ask(engine, "komi 0.5", "play B C3", "play W pass", "play B pass")
    assert ask(engine, "final_score") == "B+24.5"
    ask(engine, "play W pass")
    assert ask(engine, "final_score") == "B+24.5"
    ask(engine, "play W B2")
    assert "cannot score" in refusal(engine, "final_score")
    assert ask(engine, "undo", "final_score") == "B+24.5"
    ask(engine, "play B D4", "play W B2")
    assert board(ask(engine, "showboard")) == {("C3", "X"), ("D4", "X"), ("B2", "O")}


def test_a_pass_out_of_turn_changes_nothing() -> None:
    engine = engine_of("go:size=5")
    ask(engine, "play W pass", "play B C3", "play B pass", "play W B2")
    assert engine.session.record.texts == ["c3", "b2"]


def test_other_games_are_played_in_turn() -> None:
    engine = engine_of("hex:size=5")
    ask(engine, "play B c3")
    assert "It is white's turn" in refusal(engine, "play B a1")
    assert "It is white's turn" in refusal(engine, "genmove B")


def test_rectangular_boardsize() -> None:
    engine = engine_of("go:size=5")
    ask(engine, "rectangular_boardsize 9 9")
    assert engine.session.game.parameters["size"] == 9
    assert "unacceptable size" in refusal(engine, "rectangular_boardsize 13 9")


def test_a_player_without_analysis_does_not_offer_it() -> None:
    """Sabaki takes kata-genmove_analyze instead of genmove as soon as it sees it."""
    commands = ask(engine_of("go"), "list_commands").split()
    assert "genmove" in commands and not [name for name in commands if "analyze" in name and "kata" in name]
    assert ask(engine_of("go"), "known_command kata-genmove_analyze") == "false"
    assert ask(engine_of("go", "mcts"), "known_command kata-genmove_analyze") == "true"


# Quarry


def test_quarry_asks_which_stones_are_dead() -> None:
    engine = engine_of("go:size=9")
    ask(engine, "set_game Go", "play black E5", "play white D4", "play black pass", "play white pass")
    assert ask(engine, "final_status_list dead") == ask(engine, "final_status_list seki") == ""
    assert set(ask(engine, "final_status_list alive").split()) == {"D4", "E5"}
    assert "syntax error" in refusal(engine, "final_status_list")
    assert "Hex has no dead stones" in refusal(engine_of("hex"), "final_status_list dead")


TURN = re.compile(r"[A-J]\d+-[A-J]\d+-[A-J]\d+")


def test_amazons_as_quarry_speaks() -> None:
    """White begins, and a turn is one move."""
    engine = engine_of("amazons", "mcts:iterations=5")
    ask(engine, "set_game Amazons", "boardsize 10", "clear_board")
    move = ask(engine, "genmove white")
    assert TURN.fullmatch(move)
    after = ask(engine, "glaux-state")
    ask(engine, "play black A7-B7-C7")
    assert "Next: white" in ask(engine, "showboard")
    assert "illegal move" in refusal(engine, "play white D1-D2-D2")
    assert ask(engine, "undo", "glaux-state") == after
    assert "It is black's turn" in refusal(engine, "genmove white")
    assert TURN.fullmatch(ask(engine, "reg_genmove black")) and ask(engine, "glaux-state") == after
    ask(engine, "undo", "play white D1", "play white D7 G7")
    assert engine.session.record.texts == ["d1", "d7", "g7"]
    assert ask(engine, "undo", "genmove white").count("-") == 0, "the rest of the turn"


def test_a_turn_that_fails_half_way_is_not_played() -> None:
    class Failing:
        def begin(self) -> None: ...

        def choose(self, state: State, history: Sequence[int] = ()) -> int:
            if history:
                raise EngineError("It is gone.")
            return state.game.actions(state)[0]

        def close(self) -> None: ...

    engine = GtpEngine(glaux.make("amazons:size=6"), lambda _: Failing(), "Failing", "1")
    before = ask(engine, "glaux-state")
    assert "It is gone" in refusal(engine, "genmove white")
    assert ask(engine, "glaux-state") == before


@pytest.mark.parametrize("name", ["mcts:seconds=30", "random"])
def test_the_actions_of_a_turn_share_its_time(name: str) -> None:
    engine = engine_of("amazons:size=6", name)
    ask(engine, "time_settings 0 3 1")
    ask(engine, "time_left white 0.6 1")
    assert TURN.fullmatch(ask(engine, "genmove white"))
    assert engine.session.clocks[True].moves_left == 1, "another period has begun"
