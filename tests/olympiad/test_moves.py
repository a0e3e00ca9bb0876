"""The moves of every event, against referees that know nothing of our code; in this process."""

import pytest

from glaux.protocols.olympiad import OlympiadDialect, events, parse_move, write_move
from tests.olympiad.client import ask, entrant
from tests.olympiad.referee import plain
from tests.olympiad.referees import REFEREES


@pytest.mark.parametrize("event", sorted(events()))
def test_legal_moves_and_the_end(event: str) -> None:
    """A whole match at random: before each move both allow the same, in both dialects."""
    engine, match, lengths = entrant(event), REFEREES[event].begun(), set()
    first = ""
    while (mover := match.mover) != "-1":
        assert ask(engine, "player") == mover
        legal = set(engine.notation.legal())
        if ("swap",) in legal:
            legal.remove(parse_move(first))  # the other way to say it
        assert {write_move(move, OlympiadDialect.PLAIN) for move in legal} == match.moves().keys()
        assert {plain(write_move(move, OlympiadDialect.GO)) for move in legal} == match.moves().keys()
        lengths |= {len(move) for move in legal}
        in_go = len(engine.record.actions) % 2 == 0
        move = plain(ask(engine, f"genmove {'bw'[int(mover)] if in_go else mover}").lower())
        match = match.played(move)
        first = first or move
    assert ask(engine, "player") == "-1"
    assert engine.game.outcome(engine.record.state) == match.rules.outcome(match.position)
    if event == "arimaa":
        assert lengths == {1, 2, 3, 4}, "placements and passes, steps, pushes and pulls"


def test_the_fourth_occurrence_loses_in_arimaa() -> None:
    """The position after the set-up comes back every four turns; the second player brings it about."""
    engine, match = entrant("arimaa"), REFEREES["arimaa"].begun()
    moves = [f"{column}{row}" for row in (1, 2, 8, 7) for column in "ABCDEFGH"]
    for step in ["A2-A3", "A7-A6", "A3-A2", "A6-A7"] * 3:
        moves += [step, "pass"]
    for move in moves:
        assert ask(engine, "player") == match.mover != "-1"
        ask(engine, f"play 0 {move}")
        match = match.played(move)
    assert ask(engine, "player") == match.mover == "-1"
    assert engine.game.outcome(engine.record.state) == match.rules.outcome(match.position) == 1
