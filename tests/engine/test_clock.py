"""Clocks: what a move may take is within what is left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import glaux
from glaux.engine.clock import FEWEST_MOVES_LEFT, LEAST, MOST_MOVES_LEFT, SHARE, Clock

GAME = glaux.make("othello")
START = GAME.initial()


def test_no_clock() -> None:
    assert Clock.set(0, 10, 0) is None  # GTP: a period without moves means no limit
    assert Clock.set(0, 0, 0) is None


def test_main_time_is_spread_over_the_match() -> None:
    clock = Clock.set(600, 0, 0)
    assert clock is not None
    assert clock.allowance(GAME, START) == pytest.approx(600 / MOST_MOVES_LEFT * SHARE)
    late = GAME.parse_state("......../XXXXXXXX/" + "/".join(["OOOOOOOO"] * 6) + " X 52")
    assert clock.allowance(GAME, late) > 600 / MOST_MOVES_LEFT
    clock.spend(599.5)
    assert clock.allowance(GAME, START) < 0.5
    clock.spend(100)
    assert clock.allowance(GAME, START) == LEAST


def test_periods_follow_the_main_time() -> None:
    clock = Clock.set(10, 30, 3)
    assert clock is not None
    assert clock.allowance(GAME, START) > 9  # a period's share is sure
    clock.spend(11)
    for moves_left in (3, 2, 1):
        assert clock.moves_left == moves_left
        assert clock.allowance(GAME, START) == pytest.approx(10 * SHARE)
        clock.spend(10)
    assert clock.moves_left == 3 and clock.left == 30


def test_only_periods() -> None:
    clock = Clock.set(0, 5, 1)
    assert clock is not None
    assert clock.allowance(GAME, START) == pytest.approx(5 * SHARE)


def test_the_controller_knows_better() -> None:
    clock = Clock(100)
    clock.tell(8, 4)
    assert clock.allowance(GAME, START) == pytest.approx(2 * SHARE)


@given(
    main=st.floats(0, 1e5),
    period=st.floats(0, 1e4),
    moves=st.integers(0, 50),
    spent=st.lists(st.floats(0, 1e4), max_size=20),
)
def test_nobody_spends_more_than_is_left(main: float, period: float, moves: int, spent: list[float]) -> None:
    clock = Clock.set(main, period, moves)
    for seconds in spent if clock else []:
        assert clock is not None
        allowance = clock.allowance(GAME, START)
        later = period if moves and not clock.moves_left else 0
        assert LEAST <= allowance <= max(LEAST, (clock.left + later) * SHARE)
        clock.spend(min(seconds, allowance))
    assert FEWEST_MOVES_LEFT < MOST_MOVES_LEFT
