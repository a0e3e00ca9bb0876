"""UCI: positions and moves as Fairy-Stockfish sees them, which is asked where it is installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given

import glaux
from glaux.errors import EngineError, InvalidParameter
from glaux.looks.finding import looks
from glaux.protocols.process import EngineProcess, split_command
from glaux.protocols.uci import (
    fen,
    legal_moves,
    moves,
    parse_best_move,
    parse_perft_move,
    parse_variants,
    say_hello,
    variant_of,
    wait_until_ready,
)
from glaux.rules.game import Game
from tests.protocols.matches import random_match
from tests.protocols.sessions import FAKE, assert_ends, needs_fairy, on_linux
from tests.protocols.wild import WILD_TEXT

GAMES = [
    f"{name}:rows={variant.rows},columns={variant.columns}"
    for name, look in looks().items()
    for variant in look.uci.variants
]


def test_positions() -> None:
    game = glaux.make("breakthrough")
    start = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1"
    assert fen(game.initial()) == start  # as Fairy-Stockfish writes it
    assert fen(game.play("b2c3")) == "pppppppp/pppppppp/8/8/8/2P5/P1PPPPPP/PPPPPPPP b - - 0 1"
    clobber = glaux.make("clobber:rows=2,columns=12")
    assert fen(clobber.parse_state("............/X.O......... X 22")) == "12/P1p9 w - - 0 1"


def test_moves_have_no_mark_of_captures() -> None:
    game = glaux.make("breakthrough:rows=4,columns=4")
    state = game.initial()
    assert moves(state)["a2b3"] == game.parse_action(state, "a2xb3")


@pytest.mark.parametrize("text", ["breakthrough:rows=6", "othello", "clobber"])
def test_games_that_it_has_not(text: str) -> None:
    if text == "clobber":
        assert variant_of(glaux.make(text)) == "clobber10"
    else:
        with pytest.raises(InvalidParameter, match="UCI is spoken for breakthrough with 8 rows and 8"):
            variant_of(glaux.make(text))


@pytest.fixture(params=GAMES)
def fairy(request: pytest.FixtureRequest) -> Iterator[tuple[EngineProcess, Game]]:
    """Fairy-Stockfish at one of the games."""
    game = glaux.make(request.param)
    engine = EngineProcess(split_command("fairy-stockfish"))
    try:
        say_hello(engine, game, 30)
        wait_until_ready(engine, 30)
        yield engine, game
    finally:
        engine.close()
    assert_ends(engine.pid)


@on_linux
@needs_fairy
def test_both_have_the_same_moves(fairy: tuple[EngineProcess, Game], seed: int) -> None:
    engine, game = fairy
    for match in range(3):
        for state, _ in random_match(game, seed + match):
            assert legal_moves(engine, state, 30) == set(moves(state)), fen(state)


@on_linux
@needs_fairy
def test_both_end_at_the_same_moment(fairy: tuple[EngineProcess, Game], seed: int) -> None:
    engine, game = fairy
    for match in range(20):
        state, action = list(random_match(game, seed + match))[-1]
        end = game.apply(state, action)
        assert game.terminal(end)
        assert legal_moves(engine, end, 30) == set()


@on_linux
def test_a_program_that_speaks_something_else() -> None:
    engine = EngineProcess(split_command(f"{FAKE} plays"))
    try:
        with pytest.raises(EngineError, match="did not answer 'uci' in time"):
            say_hello(engine, glaux.make(GAMES[0]), 0.3)
    finally:
        engine.close()


def test_lines() -> None:
    assert parse_best_move("bestmove a2a3 ponder a7a6") == "a2a3"
    assert parse_best_move("info depth 3 bestmove") is None
    assert parse_variants("option name UCI_Variant type combo default chess var chess var clobber") == [
        "chess",
        "clobber",
    ]
    assert parse_perft_move("a10b10: 1") == "a10b10"
    assert parse_perft_move("Nodes searched: 1") is None


@given(line=WILD_TEXT)
def test_any_line_can_be_read(line: str) -> None:
    for parse in (parse_best_move, parse_variants, parse_perft_move):
        parse(line)
        parse(f"bestmove {line}")
        parse(f"option name UCI_Variant {line}")
