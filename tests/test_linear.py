"""Texts from outside are read in time that grows as their length does, whatever is in them.

A pattern that begins to match at every character and fails at the end takes the square of the length:
16 times the text, 256 times the work. Work is measured in the processor time of this thread, so that a
busy machine changes nothing; linear readers stay near 16.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glaux
from glaux.engine.gtp import GtpEngine
from glaux.errors import GlauxError
from glaux.players.registry import make_player
from glaux.players.settings import read_settings
from glaux.protocols.gtp import ReplyReader, parse_command
from glaux.protocols.uci import parse_best_move, parse_perft_move, parse_variants
from glaux.records.sgf import read_sgf
from glaux.records.text import read_drafts, read_text
from glaux.rules.registry import parse_game
from tests.boards import GAMES, small_game

SMALL, TIMES = 2_000, 16
"""characters of the shorter text, and how many times as long the longer one is"""
MOST = 80
"""times the work, where the square would be 256"""
FLOOR = 2e-4
"""seconds below which a clock says nothing"""

UNITS = [
    *'([{)]}\n \t"\\#;,=/.:-0X',
    "\\a",
    "[a ",
    '[Game "',
    '[Game "hex"]\n',
    "(;",
    "( ;",
    "1.",
    "1 ",
    "a=b,",
]
UNITS += [
    "a=(",
    "()",
    "# \n",
    "[x",
    '"a" ',
    "{}",
    "Record: \n",
    "\r\n",
    "é",
    ";B[a1]",
    "B[a1]",
    '["a"]',
    "[]",
]

READERS: dict[str, tuple[Callable[[str], object], list[str]]] = {
    "records": (
        lambda text: read_text(text, glaux.make),
        [
            "",
            '[Game "',
            '[Game "hex:a=',
            '[Game "hex"]\n',
            '[Game "hex"]\n"',
            '[Game "hex"]\n[Start "',
            "Record: ",
        ],
    ),
    "pasted": (lambda text: list(read_drafts(text, "hex")), ["", "a1 {", "Record:"]),
    "sgf": (lambda text: read_sgf(text.encode()), ["", "(;GM[11]", "(;GM[11]SZ[", "(;GM[11]C[", "(;GM[2]AB"]),
    "GAME": (parse_game, ["", "hex:", "hex:a=", "x.py:"]),
    "commands": (parse_command, ["", "1 "]),
    "answers": (lambda text: [ReplyReader().feed(line) for line in text.split("\n")], ["", "= "]),
}


def answer_gtp(text: str) -> object:
    """What our engine answers to lines."""
    engine = GtpEngine(glaux.make("hex:size=3"), lambda game: make_player("random", game, 1), "x", "1")
    return [engine.answer(line) for line in text.split("\n")]


READERS["gtp"] = (
    answer_gtp,
    ["play b ", "boardsize ", "komi ", "set_game ", "known_command ", "time_left b "],
)
READERS["PLAYER"] = (lambda text: read_settings("mcts", text), ["", "a=", "a=("])
READERS["uci"] = (
    lambda text: (parse_best_move(text), parse_variants(text), parse_perft_move(text)),
    ["", "bestmove ", "option name UCI_Variant type combo "],
)


def work(read: Callable[[str], object], text: str, enough: float = 0.0) -> float:
    """Seconds of the processor for reading a text or saying what is wrong with it: the least of three, or
    the first that is below ``enough``."""
    best = float("inf")
    for _ in range(3):
        begun = time.thread_time()
        with suppress(GlauxError):
            read(text)
        best = min(best, time.thread_time() - begun)
        if best < enough:
            break
    return best


def check(read: Callable[[str], object], head: str, unit: str) -> None:
    """Whether the work grows as the text does."""
    few = max(FLOOR, work(read, head + unit * (SMALL // len(unit)), FLOOR))
    many = work(read, head + unit * (SMALL * TIMES // len(unit)), MOST * few)
    assert many < MOST * few, f"{head!r} and {unit!r}: {many / few:.0f} times the work"


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_readers_are_linear(name: str) -> None:
    read, heads = READERS[name]
    for head in heads:
        for unit in UNITS:
            check(read, head, unit)


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=30, deadline=None)
@given(head=st.text(max_size=6), unit=st.text('[]{}()"\\#;,=:. \na1', min_size=1, max_size=4))
def test_readers_are_linear_for_any_unit(name: str, head: str, unit: str) -> None:
    check(READERS[name][0], head, unit)


@pytest.mark.parametrize("name", GAMES)
def test_state_texts_are_linear(name: str) -> None:
    game = small_game(name)
    for head in ("", game.state_text(game.initial())):
        for unit in (" ", "X", "/", "0", "\n", "é", "X/", " 1"):
            check(game.parse_state, head, unit)


def test_the_check_finds_the_square() -> None:
    import re  # noqa: PLC0415

    with pytest.raises(AssertionError, match="times the work"):
        check(re.compile(r"\{[^}]*\}").findall, "", "{")
