"""Records: playing, taking back, turns and verdicts."""

from __future__ import annotations

import pytest

import glaux
from glaux.errors import InvalidAction, InvalidParameter
from glaux.records.record import Record
from tests.boards import SMALL, small_game
from tests.protocols.matches import random_match


@pytest.mark.parametrize("name", SMALL)
def test_a_record_follows_the_match_and_back(name: str, seed: int) -> None:
    game = small_game(name)
    match = list(random_match(game, seed))
    record = Record(game.initial()).play_all(action for _, action in match)
    assert record.states[:-1] == [state for state, _ in match]
    assert record.outcome == game.outcome(record.state) is not None
    assert game.play(record.texts) == record.state
    for state, _ in reversed(match):
        assert record.undo()
        assert record.state == state and record.outcome is None and record.result == "*"
    assert not record.undo()
    assert record == Record(game.initial())


def test_turns() -> None:
    record = Record(glaux.make("amazons").initial())
    for text in ["a4", "a5", "a6", "a7", "b6"]:
        record.play(record.game.parse_action(record.state, text))
    assert record.turn(5) == (3, 5) and record.turn(3) == (0, 3) and record.turn(0) == (0, 0)
    assert record.last_turn() == (record.states[3], ["a7", "b6"])


def test_verdicts() -> None:
    game = glaux.make("connect_four:rows=4,columns=4,length=3")
    record = Record(game.initial())
    with pytest.raises(InvalidAction):
        record.play(99)
    assert record.actions == record.texts == [] and len(record.states) == 1
    record.decide(-1, "resigned")
    assert (record.outcome, record.result) == (-1, "0-1")
    over = Record(game.initial()).play_all([0, 1, 0, 1, 0])
    assert over.result == "1-0"
    with pytest.raises(InvalidParameter, match="finished match"):
        over.decide(-1, "")


def test_passes_are_played_for_those_who_have_nothing_else() -> None:
    game = glaux.make("othello:size=4")
    for seed in range(200):
        record = Record(game.initial())
        for state, action in random_match(game, seed):
            if game.action_text(state, action) == "pass":
                break
            record.play(action)
        else:
            continue
        record.play_passes()
        assert record.texts[-1] == "pass"
        return
    raise AssertionError("no match has a pass")
