"""Whole matches of every event on a terminal with echo, against referees that know nothing of our code."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from glaux.protocols.olympiad import events
from tests.olympiad.client import Terminal
from tests.olympiad.referees import REFEREES


@pytest.fixture(scope="module")
def terminal() -> Iterator[Terminal]:
    """One entrant for all the events: the client may go from game to game."""
    with Terminal("--seconds", "0.01", "--seed", "1") as entrant:
        yield entrant
        assert entrant.quit() == 0


def sides() -> list[Any]:
    """Each event with the one side or the other in turn, and with the other one at night."""
    return [
        pytest.param(event, side, marks=() if int(side) == number % 2 else pytest.mark.nightly)
        for number, event in enumerate(sorted(events()))
        for side in "01"
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("event", "side"), sides())
def test_a_whole_match(terminal: Terminal, event: str, side: str) -> None:
    """The entrant plays one side, chance the other; every answer must be legal, and the end the same."""
    chance, match = random.Random(f"{event} {side}"), REFEREES[event].begun()
    swaps = bool(chance.randrange(2))
    terminal.ask(f"game {event}")
    terminal.ask("clear_board")
    first = ""
    while (mover := match.mover) != "-1":
        assert terminal.ask("player") == mover
        if mover == side:
            for player in "01":
                terminal.ask(f"time_left {player} 1800")
            move = terminal.ask(f"genmove {mover}")
            match = match.played(move)
        else:
            legal = sorted(match.moves())
            move = "swap" if swaps and "swap" in legal else chance.choice(legal)
            match = match.played(move)
            terminal.ask(f"play {mover} {first if move == 'swap' else move}")
        first = first or move
    assert terminal.ask("player") == "-1"
