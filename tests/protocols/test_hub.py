"""Hub: lines, positions and moves beside pydraughts, our engine led by it, and engines of others."""

from __future__ import annotations

import random
import sys
from contextlib import closing
from pathlib import Path

import pytest
from draughts import Board, Move
from draughts.engine import HubEngine as Controller
from draughts.engine import Limit
from hypothesis import given, settings
from hypothesis import strategies as st

import glaux
from glaux.arena.match import play_match
from glaux.engine.hub import HubEngine
from glaux.errors import GlauxError, InvalidAction, InvalidFile, InvalidParameter
from glaux.looks.finding import looks
from glaux.players.registry import make_player
from glaux.protocols.hub import HubLine, parse_line, read_move, read_position, turns, write_position
from glaux.records.record import Record
from tests.protocols.sessions import on_linux
from tests.protocols.wild import WILD_TEXT

GAMES = [name for name, look in looks().items() if look.hub.pieces]
START = "W" + "b" * 20 + "e" * 10 + "w" * 20
SMALL = "international_draughts:size=6"
GLAUX = f"{sys.executable} -m glaux"


def test_lines_are_read_as_they_are_written() -> None:
    for line in (
        HubLine("hub"),
        HubLine("pos", {"pos": START, "moves": "32-28 19-23"}),
        HubLine("param", {"name": "x", "value": ""}),
        HubLine("error", {"message": "a=b"}),
    ):
        assert parse_line(str(line)) == line
    assert str(HubLine("error", {"message": "a=b"})) == 'error message="a=b"', "as the protocol wants it"
    assert parse_line("go think") == HubLine("go", {"think": ""})
    assert parse_line("  \n") is None


@pytest.mark.slow
def test_positions_and_moves_are_those_of_pydraughts() -> None:
    """Random matches: both have the same moves in Hub's notation, and the same position after each."""
    game, chance = glaux.make("international_draughts"), random.Random(1)
    captures = 0
    for _ in range(4):
        record, board = Record(game.initial()), Board()
        while record.outcome is None and len(record.actions) < 120 and not board.is_over():
            ours = turns(record.state)
            theirs = {_sorted(move.hub_move) for move in board.legal_moves()}
            assert set(ours) == theirs
            name = chance.choice(sorted(ours))
            captures += name.count("x") > 2
            board.push(Move(board, hub_move=name))
            record.play_all(ours[name].actions)
            again = read_position(game, write_position(record.state))
            assert (game.cells(again) == game.cells(record.state)).all()
    assert captures > 3, "captures of several pieces are among them"


def _sorted(move: str) -> str:
    sign = "x" if "x" in move else "-"
    start, end, *taken = move.split(sign)
    return sign.join([start, end, *sorted(taken, key=int)])


@pytest.mark.parametrize("name", GAMES)
def test_moves_are_read_in_any_order_and_short(name: str) -> None:
    game, chance = glaux.make(name), random.Random(2)
    for _ in range(3):
        state = game.initial()
        while not game.terminal(state) and game.ply(state) < 100:
            legal = turns(state)
            chosen = chance.choice(sorted(legal))
            sign = "x" if "x" in chosen else "-"
            start, end, *taken = chosen.split(sign)
            chance.shuffle(taken)
            assert read_move(state, sign.join([start, end, *taken])) == legal[chosen].actions
            if sum(key.split(sign)[:2] == [start, end] for key in legal) == 1:
                assert read_move(state, f"{start}{sign}{end}") == legal[chosen].actions
            state = legal[chosen].now


def test_what_is_wrong_is_refused() -> None:
    game = glaux.make("international_draughts")
    with pytest.raises(InvalidAction, match="'1-2' is not a legal move here; legal moves are "):
        read_move(game.initial(), "1-2")
    for text in ("", "W", "W" + "x" * 50, "X" + START[1:], START + "e"):
        with pytest.raises(InvalidFile, match="is not a position of International draughts"):
            read_position(game, text)
    with pytest.raises(InvalidParameter, match="Hub does not support Hex"):
        make_player("hub:sh", glaux.make("hex:size=4"), 1)


# Our engine


def engine(game: str = "international_draughts", player: str = "mcts:iterations=50") -> HubEngine:
    made = glaux.make(game)
    return HubEngine(made, make_player(player, made, 1), "Glaux", "1.0")


def test_a_dialogue() -> None:
    ours = engine()
    assert ours.answer("hub") == "id name=Glaux version=1.0 author=Glaux\nwait\n"
    assert ours.answer("init") == "ready\n" and ours.answer("ping") == "pong\n"
    assert (
        ours.answer("new-game")
        is ours.answer("set-param name=book value=true")
        is ours.answer("stop")
        is None
    )
    assert ours.answer(f'pos pos={START} moves="32-28 19-23 28x19x23"') is None
    assert len(ours.record.actions) == 3
    assert ours.answer("level move-time=0.1") is None
    info, done = (ours.answer("go think") or "").splitlines()
    assert info.startswith("info depth="), "also of a short thought"
    assert done in ("done move=14x23x19", "done move=13x24x19")
    assert ours.answer("level depth=what") == "error message=\"'what' is not a number.\"\n"
    assert (ours.answer('pos pos=x moves=""') or "").startswith("error message=")
    assert len(ours.record.actions) == 3, "a position that is wrong changes nothing"
    assert ours.answer("quit") is None and ours.ended


def test_a_level_without_end() -> None:
    ours = engine(player="mcts:seconds=0.01")
    assert ours.answer("level infinite") is None, "a word of the protocol"
    waits = iter([None] * 12 + ["stop\n"])
    ours.waiting = lambda: next(waits)
    assert (ours.answer("go think") or "").splitlines()[-1].startswith("done move=")
    assert next(waits, "used up") == "used up", "it thinks until it is stopped"
    ours.waiting = lambda: None
    assert ours.answer("level move-time=0.1 handicap=2 new") is None, "what is not known is passed over"
    assert (ours.answer("go think") or "").splitlines()[-1].startswith("done move=")


@pytest.mark.parametrize("number", ["inf", "1e999", "nan", "-inf"])
def test_times_that_are_no_numbers(number: str) -> None:
    ours = engine(player="random")
    expected = f"error message=\"'{number}' is not a number.\"\n"
    assert ours.answer(f"level time=10 moves={number}") == expected
    assert (ours.answer("go think") or "").startswith("done move=")


def test_a_capture_of_a_square_with_thousands_of_digits_is_not_legal() -> None:
    with pytest.raises(InvalidAction, match="is not a legal move here"):
        read_move(glaux.make(SMALL).initial(), f"32x28x{'9' * 5000}")


def test_analysis_goes_on_until_it_is_stopped() -> None:
    ours = engine(player="mcts:seconds=0.01")
    waits = iter([None] * 12 + ["ping\n", "stop\n"])
    ours.waiting = lambda: next(waits)
    *infos, done = (ours.answer("go analyze") or "").splitlines()
    assert done.startswith("done move=") and next(waits, "used up") == "used up"
    assert infos.pop() == "pong", "also right before the stop"
    assert len(infos) >= 2 and all(line.startswith("info depth=") for line in infos)


@given(st.sampled_from(["pos pos=", 'pos moves="', "level ", "go ", "set-param ", ""]), WILD_TEXT)
@settings(max_examples=150, deadline=None)
def test_no_line_breaks_the_engine(command: str, text: str) -> None:
    ours = engine(SMALL, "random")
    answer = ours.answer(command + text)
    assert answer is None or answer.endswith("\n")


@given(WILD_TEXT)
def test_no_text_breaks_the_reader(text: str) -> None:
    game = glaux.make(SMALL)
    for read in (
        parse_line,
        lambda text: read_position(game, text),
        lambda text: read_move(game.initial(), text),
    ):
        try:
            read(text)
        except GlauxError as error:
            assert str(error)


@on_linux
@pytest.mark.slow
def test_pydraughts_leads_our_engine() -> None:
    """A controller that somebody else has written plays a match with us to the end of forty moves."""
    program = str(Path(sys.executable).with_name("glaux"))
    controller = Controller([program, "hub", "international_draughts", "mcts:iterations=20", "--seed", "1"])
    try:
        controller.init()
        board = Board()
        for _ in range(40):
            if board.is_over():
                break
            answer = controller.play(board, Limit(movetime=1), ponder=False)
            assert _sorted(answer.move.hub_move) in {_sorted(move.hub_move) for move in board.legal_moves()}
            board.push(answer.move)
    finally:
        controller.kill_process()


# Engines of others


@on_linux
def test_a_match_with_ourselves() -> None:
    game = glaux.make(SMALL)
    with closing(
        make_player(f"hub:seconds=0.01,command={GLAUX} hub {SMALL} random --seed 3", game, 1)
    ) as theirs:
        for pair in ((make_player("random", game, 1), theirs), (theirs, make_player("random", game, 2))):
            record = play_match(game, *pair)
            assert not record.forfeit and len(record.actions) > 5
