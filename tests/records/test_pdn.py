"""PDN: what we write, pydraughts reads; what it writes, we read; and texts as people write them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from draughts import Board, Move
from draughts.PDN import PDNReader, PDNWriter
from hypothesis import given

import glaux
from glaux.errors import GlauxError, InvalidAction, InvalidFile, InvalidParameter
from glaux.looks.finding import looks
from glaux.records.files import add_records, load_records
from glaux.records.pdn import read_fen, read_move, read_pdn, write_fen, write_pdn
from glaux.records.record import Record
from glaux.rules.game import Game
from tests.protocols.wild import WILD_TEXT

GAMES = [name for name, look in looks().items() if look.pdn.game]
VARIANTS = {"international_draughts": "standard", "brazilian_draughts": "brazilian"}
"""of pydraughts, which has no Canadian draughts"""


def random_record(game: Game, seed: int) -> Record:
    chance, record = random.Random(seed), Record(game.initial(), ('A "b" \\', "C"), tags={"Event": "a match"})
    while record.outcome is None and len(record.actions) < 300:
        record.play(chance.choice(game.actions(record.state)))
    return record


@pytest.mark.parametrize("name", GAMES)
def test_records_are_read_as_they_are_written(name: str, seed: int) -> None:
    """To the same board after each turn: of ways that come to the same, either is read."""
    for match in range(2):
        record = random_record(glaux.make(name), seed + match)
        (again,) = read_pdn(write_pdn(record), glaux.make)
        assert again.game == record.game and again.players == record.players
        assert again.result == record.result and again.tags == {"Event": "a match"}
        assert (again.game.cells(again.state) == record.game.cells(record.state)).all()
        assert len(again.actions) == len(record.actions)


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_pydraughts_reads_what_we_write(name: str, seed: int) -> None:
    for match in range(2):
        record = random_record(glaux.make(name), seed + match)
        text = write_pdn(record)
        (theirs,) = PDNReader(text).games
        assert theirs.variant == VARIANTS[name] and theirs.game_ending == record.result
        board = Board(VARIANTS[name])
        for move in theirs.moves:
            board.push(Move(board, pdn_move=move))
        assert position(name, board.fen) == position(name, write_fen(record.state))


def position(name: str, fen: str) -> list[set[str]]:
    """A FEN without the order of its squares."""
    mover, *sides = fen.split(":")
    return [{mover}, *(set(side[1:].split(",")) for side in sides)]


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_we_read_what_pydraughts_writes(name: str, seed: int) -> None:
    game = glaux.make(name)
    for match in range(2):
        board, chance = Board(VARIANTS[name]), random.Random(seed + match)
        for _ in range(60):
            # Its writer may take one way for another where several captures have the same ends.
            clear = [move for move in board.legal_moves() if not move.ambiguous]
            if board.is_over() or not clear:
                break
            board.push(chance.choice(clear))
        (record,) = read_pdn(PDNWriter("", board).pdn_text, glaux.make)
        assert record.game == game and record.start == game.initial()
        assert position(name, board.fen) == position(name, write_fen(record.state))


def test_a_text_of_people() -> None:
    text = """[Event "Somewhere"] ; a comment
[White "A"]
[Black "B"]
[GameType "20"]
[Result "2-0"]

1. 32-28! {a comment
with 1-2 in it} 19-23?! 2. 28x19 (2. 33-29 (2. 28:19) 23x34) 14x23 $3
3. 33-28 23x32 4.37x28 2-0

[GameType "26,W,8,8,N2,0"]
1. 22-18 *
1. 32-28 19-23 0-0
"""
    first, second, third = read_pdn(text, glaux.make)
    assert first.result == "1-0" and first.tags == {"Event": "Somewhere"} and first.players == ("A", "B")
    assert first.texts == ["32-28", "19-23", "28x19", "14x23", "33-28", "23x32", "37x28"]
    assert second.texts == ["c3-d4"]
    assert third.game == glaux.make("international_draughts") and third.outcome is None


def test_captures_with_the_same_ends_are_told_apart() -> None:
    """A king that takes five of nine men in two ways."""
    game = glaux.make("international_draughts")
    state = read_fen(game, "W:WK40:B9,17,18,28,36,38,39,41,42")
    ways = {"40x12x26x48x25x3": "B:WK3:B28,36,38,41", "40x12x21x43x25x3": "B:WK3:B28,36,41,42"}
    for way, left in ways.items():
        record = Record(state).play_all(read_move(state, way))
        assert write_fen(record.state) == left and f"1. {way} *" in write_pdn(record)
        assert read_pdn(write_pdn(record), glaux.make)[0].actions == record.actions
        board = Board("standard", fen=write_fen(state))
        board.push(Move(board, pdn_move=way))
        assert position("", board.fen) == position("", left), "as pydraughts reads it"
    with pytest.raises(InvalidAction, match="'40x3' is ambiguous here"):
        read_move(state, "40x3")


def test_positions() -> None:
    game = glaux.make("international_draughts")
    state = read_fen(game, "B:W31-34,K50:BK1,2,20")
    assert write_fen(state) == "B:W31,32,33,34,K50:BK1,2,20" and not game.first_player(state)
    record = Record(state)
    record.play(game.actions(state)[0])
    assert "1... " in write_pdn(record)
    (again,) = read_pdn(write_pdn(record), glaux.make)
    assert again.start == state and again.texts == record.texts
    other = Record(glaux.make("international_draughts:size=6,olympiad=1").initial())
    assert read_pdn(write_pdn(other), glaux.make)[0].game == other.game
    for fen in ("", "W", "W:W99:B1", "W:Wz3:B1", "X:W31:B1", "W:Q31:B1", "W:W50-31:B1"):
        with pytest.raises(InvalidFile, match="is not a position"):
            read_fen(game, fen)


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("1. 32-29 *", r"Line 1: '32-29' is not a legal move here; legal moves are "),
        ("\n1. 32-28 hello *", "Line 2: 'hello' is neither a tag nor a move"),
        (
            '[GameType "30"]\n1. 1-2',
            r"Line 1: GameType 30 is not supported: PDN can hold .*20 \(international_draughts\)",
        ),
        ("1. 32-28 {never", "Line 1: the comment that begins here has no end"),
        ('[FEN "W:W1"]\n*', "Line 1: "),
        (
            "1. 32-28\n(1. 33-29 (1. 34-29) *\n\n1. 32-28 *",
            "Line 2: the variation that begins here has no end",
        ),
    ],
)
def test_mistakes_are_named(text: str, sentence: str) -> None:
    with pytest.raises(InvalidFile, match=sentence):
        read_pdn(text, glaux.make)


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "games.pdn"
    records = [random_record(glaux.make(name), 3) for name in GAMES]
    add_records(file, records)
    assert [record.game for record in load_records(file)] == [record.game for record in records]
    with pytest.raises(InvalidParameter, match=r"PDN can only hold matches of .*International draughts"):
        add_records(file, [Record(glaux.make("hex").initial())])


@given(WILD_TEXT)
def test_no_text_breaks_the_reader(text: str) -> None:
    for wild in (text, f"1. 32-28 {text}", f'[FEN "{text}"]\n*', f'[GameType "{text}"]\n*'):
        try:
            read_pdn(wild, glaux.make)
        except GlauxError as error:
            assert str(error)
    try:
        read_move(glaux.make("brazilian_draughts").initial(), text)
    except GlauxError as error:
        assert str(error)
