"""UCI and its dialects: positions and moves beside Fairy-Stockfish and its library, and matches."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pyffish
import pytest
from hypothesis import given

import glaux
from glaux.arena.match import play_match
from glaux.engine.uci import UciEngine
from glaux.errors import EngineError, GlauxError, InvalidAction, InvalidFile, InvalidParameter, InvalidState
from glaux.players.registry import make_player
from glaux.protocols.process import EngineProcess, split_command
from glaux.protocols.uci import (
    DIALECTS,
    UAI,
    UCCI,
    UCI,
    legal_moves,
    notation_of,
    parse_best_move,
    parse_go,
    parse_perft_move,
    parse_position,
    parse_variants,
    say_hello,
    variant_of,
    wait_until_ready,
)
from glaux.records.record import Record
from glaux.rules.game import Game
from tests.protocols import fairy_engine
from tests.protocols.matches import boards, random_match
from tests.protocols.sessions import FAKE, assert_ends, needs_fairy, on_linux
from tests.protocols.wild import WILD_TEXT

GLAUX = f"{sys.executable} -m glaux"
FAIRY = f"{sys.executable} {Path(fairy_engine.__file__)}"


SPOKEN = [(name, text) for name, dialect in DIALECTS.items() for text in boards(dialect)]


# Positions and moves


def test_positions() -> None:
    game = glaux.make("breakthrough")
    fen = notation_of(game).write_position
    start = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1"
    assert fen(game.initial()) == start  # as Fairy-Stockfish writes it
    assert fen(game.play("b2c3")) == "pppppppp/pppppppp/8/8/8/2P5/P1PPPPPP/PPPPPPPP b - - 0 1"
    xiangqi = glaux.make("xiangqi")
    start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
    assert notation_of(xiangqi).write_position(xiangqi.initial()) == start
    ataxx = glaux.make("ataxx:walls=1")
    assert notation_of(ataxx, UAI).write_position(ataxx.play("b2")) == "x5o/1x5/2-1-2/7/2-1-2/7/o5x o 0 1"


def test_moves() -> None:
    """No mark of captures, rows as each counts them, pieces that are placed, passes."""
    game = glaux.make("breakthrough")
    state = game.play("b2b3 c7c6 b3b4 c6c5")
    assert notation_of(game).moves(state)["b4c5"] == game.parse_action(state, "b4xc5")
    xiangqi = glaux.make("xiangqi")
    cannon = xiangqi.parse_action(xiangqi.initial(), "h2e2")
    assert notation_of(xiangqi, UCI).write_move(xiangqi.initial(), cannon) == "h3e3"
    assert notation_of(xiangqi, UCCI).write_move(xiangqi.initial(), cannon) == "h2e2"
    ataxx = glaux.make("ataxx")
    copy = ataxx.parse_action(ataxx.initial(), "b2")
    assert notation_of(ataxx, UCI).write_move(ataxx.initial(), copy) == "P@b6"
    assert notation_of(ataxx, UAI).write_move(ataxx.initial(), copy) == "b6"
    stuck = ataxx.parse_state("OOO..../OOO..../XOO..../OOO..../OOO..../......./....... X 20 - -")
    assert list(notation_of(ataxx, UAI).moves(stuck)) == ["0000"]
    assert list(notation_of(ataxx, UCI).moves(stuck)) == ["a3a3"]


@pytest.mark.parametrize("dialect, text", SPOKEN)
def test_positions_are_read_as_they_are_written(dialect: str, text: str, seed: int) -> None:
    game = glaux.make(text)
    notation = notation_of(game, DIALECTS[dialect])
    for match in range(2):
        for state, _ in random_match(game, seed + match, 150):
            try:
                again = notation.read_position(notation.write_position(state))
            except InvalidState:  # Ataxx has no board of four pieces without the jumps that led to it
                assert (game.cells(state) > 0).sum() == 4
                continue
            assert (game.cells(again) == game.cells(state)).all()
            assert game.first_player(again) == game.first_player(state)
            assert notation.moves(again).keys() == notation.moves(state).keys()
    assert notation.read_position(notation.write_position(game.initial())) == game.initial()


@pytest.mark.parametrize("text", boards(UCI))
def test_moves_are_those_of_the_library(text: str, seed: int) -> None:
    """Random matches: the library has the same moves, and the same position after each."""
    game = glaux.make(text)
    notation, variant = notation_of(game), variant_of(game)
    for match in range(3):
        for state, action in random_match(game, seed + match, 150):
            fen = notation.write_position(state)
            assert pyffish.validate_fen(fen, variant) == pyffish.FEN_OK, fen
            assert set(pyffish.legal_moves(variant, fen, [])) == set(notation.moves(state)), fen
            move = notation.write_move(state, action)
            assert (move[:2] == move[2:]) == (game.action_text(state, action) == "pass")
            after = pyffish.get_fen(variant, fen, [move])
            assert after.split()[:2] == notation.write_position(game.apply(state, action)).split()[:2]


@pytest.mark.parametrize("text", ["breakthrough:rows=6", "othello", "clobber"])
def test_games_that_it_has_not(text: str) -> None:
    game = glaux.make(text)
    if text == "clobber":
        assert variant_of(game) == "clobber10"
    else:
        with pytest.raises(InvalidParameter, match=r"UCI supports .*breakthrough with 8 rows and 8"):
            variant_of(game)
        with pytest.raises(InvalidParameter, match="UCI supports "):
            UciEngine(game, make_player("random", game, 1), "Glaux")
    with pytest.raises(InvalidParameter, match="UAI supports ataxx with 7 rows and 7 columns"):
        make_player("uci:dialect=uai,command=sh", game, 1)
    with pytest.raises(InvalidParameter, match="There is no dialect 'usi': did you mean 'uci'"):
        make_player("uci:dialect=usi,command=sh", game, 1)


def test_what_is_wrong_is_refused() -> None:
    game = glaux.make("xiangqi")
    notation = notation_of(game)
    start = notation.write_position(game.initial())
    for fen in (
        "",
        "9/9 w",
        start.replace("9", "8", 1),
        start.replace("9", "99", 1),
        start.replace("w", "x"),
    ):
        with pytest.raises(InvalidFile, match="is not a position of Xiangqi"):
            notation.read_position(fen)
    with pytest.raises(InvalidAction, match="'a0a1' is not a legal move here; legal moves are "):
        notation.read_move(game.initial(), "a0a1")


# Fairy-Stockfish itself


@pytest.fixture(params=boards(UCI))
def fairy(request: pytest.FixtureRequest) -> Iterator[tuple[EngineProcess, Game]]:
    """Fairy-Stockfish at one of the games."""
    game = glaux.make(request.param)
    engine = EngineProcess(split_command("fairy-stockfish"))
    try:
        try:
            say_hello(engine, game, 30)
        except EngineError:
            pytest.skip("this version does not have the game")
        wait_until_ready(engine, 30)
        yield engine, game
    finally:
        engine.close()
    assert_ends(engine.pid)


@on_linux
@needs_fairy
def test_both_have_the_same_moves_and_ends(fairy: tuple[EngineProcess, Game], seed: int) -> None:
    """But for the ends that only a history brings about."""
    engine, game = fairy
    notation = notation_of(game)
    for match in range(3):
        for state, action in random_match(game, seed + match, 200):
            assert legal_moves(engine, state, 30) == set(notation.moves(state))
            after = game.apply(state, action)
        end = notation.read_position(notation.write_position(after))
        moves = set() if game.terminal(end) else set(notation.moves(end))
        assert legal_moves(engine, end, 30) == moves


@on_linux
def test_a_program_that_speaks_something_else() -> None:
    engine = EngineProcess(split_command(f"{FAKE} plays"))
    try:
        with pytest.raises(EngineError, match="did not answer 'uci' in time"):
            say_hello(engine, glaux.make(boards(UCI)[0]), 0.3)
    finally:
        engine.close()


def test_lines() -> None:
    assert parse_best_move("bestmove a2a3 ponder a7a6") == "a2a3"
    assert parse_best_move("bestmove h2e2 resign") == "resign"
    assert parse_best_move("nobestmove") == ""
    assert parse_best_move("info depth 3 bestmove") is None
    assert parse_variants("option name UCI_Variant type combo default chess var chess var clobber") == [
        "chess",
        "clobber",
    ]
    assert parse_perft_move("a10b10: 1") == "a10b10"
    assert parse_perft_move("Nodes searched: 1") is None
    go = parse_go(["ponder", "wtime", "3000", "btime", "-5", "winc", "10", "movestogo", "7"])
    assert go.endless and go.clock("w") == (3000, 10, 7) and go.clock("b") == (0, 0, 7)
    assert parse_go(["time", "60000", "increment", "5"]).clock("b") == (60000, 5, 0)
    assert parse_go(["movetime", "100"]).clock("w") is None
    assert UCI.parse_option(["name", "Skill", "Level", "value", "3", "4"]) == ("skill level", "3 4")
    assert UCCI.parse_option(["usemillisec", "true"]) == ("usemillisec", "true")
    assert (
        UCCI.set_option("a", "b") == "setoption a b"
        and UCI.set_option("a", "b") == "setoption name a value b"
    )
    with pytest.raises(InvalidParameter, match="A position must be 'startpos' or 'fen'"):
        parse_position(["moves", "a1a2"])


@given(line=WILD_TEXT)
def test_any_line_can_be_read(line: str) -> None:
    for parse in (parse_best_move, parse_variants, parse_perft_move):
        parse(line)
        parse(f"bestmove {line}")
        parse(f"option name UCI_Variant {line}")
    parse_go(line.split())
    for dialect in DIALECTS.values():
        dialect.parse_option(line.split())
    for name in {text for _, text in SPOKEN}:
        with suppress(GlauxError):
            Record(notation_of(glaux.make(name), UCI).read_position(line))


# Matches


@on_linux
@pytest.mark.parametrize("dialect, text", SPOKEN)
def test_a_match_with_ourselves(dialect: str, text: str) -> None:
    game = glaux.make(text)
    command = f"uci:dialect={dialect},seconds=0.01,command={GLAUX} uci {text} random --seed 3"
    with closing(make_player(command, game, 1)) as theirs:
        record = play_match(game, make_player("random", game, 1), theirs)
    assert record.outcome is not None and not record.forfeit and len(record.actions) > 10


@on_linux
@pytest.mark.parametrize("text", boards(UCI))
def test_a_match_with_the_library(text: str) -> None:
    """Whose engine ends if a move of ours is not legal for it."""
    game = glaux.make(text)
    with closing(make_player(f"uci:command={FAIRY} 5", game, 1)) as theirs:
        record = play_match(game, make_player("random", game, 1), theirs)
    assert record.outcome is not None and not record.forfeit and len(record.actions) > 10
