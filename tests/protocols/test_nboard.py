"""NBoard and GGF: the grammar, our engine, and engines of others as players."""

from __future__ import annotations

import sys
from contextlib import closing, suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glaux
from glaux.arena.match import play_match
from glaux.engine.nboard import NBoardEngine
from glaux.errors import GlauxError, InvalidFile, InvalidParameter
from glaux.looks.finding import looks
from glaux.players.registry import make_player
from glaux.protocols.nboard import parse_ggf, read_move, start_of, write_ggf, write_move
from glaux.records.record import Record
from glaux.rules.game import Game
from tests.protocols.matches import random_match
from tests.protocols.sessions import on_linux
from tests.protocols.wild import WILD_TEXT

GAMES = [name for name, look in looks().items() if look.nboard.game]
EXAMPLE = (
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[edax]PW[chris]RE[?]TI[15:00]TY[8]"
    "BO[8 ---------------------------O*------*O--------------------------- *]"
    "B[F5//0.1]W[F6]B[D3/1.00/2.5]W[C5]B[E6]W[F7]B[E7]W[F4];)"
)
GLAUX = f"{sys.executable} -m glaux"


def boards() -> list[Game]:
    return [glaux.make(name) for name in GAMES] + [glaux.make(f"{name}:size=6") for name in GAMES]


def test_a_match_of_another_program_is_read() -> None:
    game = glaux.make("othello")
    match = parse_ggf(EXAMPLE)
    assert match.moves == ["F5", "F6", "D3", "C5", "E6", "F7", "E7", "F4"]
    assert start_of(match, game) == game.initial()
    record = Record(start_of(match, game))
    for move in match.moves:
        record.play(read_move(record.state, move))
    assert record.texts == ["f5", "f6", "d3", "c5", "e6", "f7", "e7", "f4"]


@pytest.mark.parametrize("game", boards(), ids=str)
def test_matches_are_read_as_they_are_written(game: Game) -> None:
    for seed in range(20):
        actions = [action for _, action in random_match(game, seed)]
        middle = game.initial()
        for action in actions[:9]:
            middle = game.apply(middle, action)
        for start, rest in ((game.initial(), actions), (middle, actions[9:])):
            match = parse_ggf(write_ggf(start, rest))
            record = Record(start_of(match, game))
            assert record.start == start or "pass" in game.action_text(middle, game.actions(middle)[0])
            for move in match.moves:
                record.play(read_move(record.state, move))
            assert record.actions == rest


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(;GM[Othello];)",
        "(;BO[x *];)",
        "(;BO[8 --- *];)",
        "(;BO[8 " + "-" * 63 + "? *];)",
        "(;BO[8 " + "-" * 64 + " **];)",
    ],
)
def test_what_is_no_match_is_refused(text: str) -> None:
    with pytest.raises(InvalidFile):
        start_of(parse_ggf(text), glaux.make("othello"))


def test_games_without_nboard() -> None:
    with pytest.raises(InvalidParameter, match="NBoard does not support Hex"):
        make_player("nboard:sh", glaux.make("hex:size=4"), 1)


# Our engine


def engine(player: str = "mcts:iterations=50") -> NBoardEngine:
    game = glaux.make("othello")
    return NBoardEngine(game, make_player(player, game, 1), "Glaux")


def test_a_dialogue() -> None:
    ours = engine()
    assert ours.answer("nboard 2") == "set myname Glaux\n"
    assert ours.answer("set depth 6") is None and ours.answer("what is this") is None
    assert ours.answer(f"set game {EXAMPLE}") is None
    assert ours.answer("ping 7") == "pong 7\n"
    assert (ours.answer("hint " + "9" * 5000) or "").splitlines()[-1] == "status"
    hints = (ours.answer("hint 3") or "").splitlines()
    assert [line.split()[0] for line in hints] == ["search"] * 3 + ["status"]
    values = [float(line.split()[2]) for line in hints[:3]]
    assert values == sorted(values, reverse=True)
    lines = ours.answers("go")
    assert next(lines) == "status thinking\n" and ours.after is None, "while it thinks, not afterwards"
    assert "".join(lines).endswith("status\n")
    thinking, move, done = (ours.answer("go") or "").splitlines()
    assert thinking == "status thinking" and done == "status" and move.startswith("=== ")
    assert len(ours.record.actions) == 8, "the move is played when the GUI sends it"
    assert ours.answer(f"move {move[4:]}") is None and len(ours.record.actions) == 9
    analysis = (ours.answer("analyze") or "").splitlines()
    assert len(analysis) == 11 and analysis[0].startswith("analysis 0 ")
    assert (ours.answer("move Z9") or "").startswith("status 'Z9' is not a legal action")
    assert (ours.answer("set game nonsense") or "").startswith("status A match in GGF")
    assert ours.answer("quit") is None and ours.ended


@given(st.sampled_from(["set game ", "move ", "hint ", "ping ", "set ", "go ", ""]), WILD_TEXT)
@settings(max_examples=200, deadline=None)
def test_no_line_breaks_the_engine(command: str, text: str) -> None:
    ours = engine("random")
    answer = ours.answer(command + text)
    assert answer is None or answer.endswith("\n")


@given(WILD_TEXT)
def test_no_text_breaks_the_reader(text: str) -> None:
    with suppress(GlauxError):
        start_of(parse_ggf(text), glaux.make("othello"))


# Engines of others


@on_linux
def test_a_match_with_ourselves() -> None:
    game = glaux.make("othello:size=6")
    with closing(make_player(f"nboard:{GLAUX} nboard othello:size=6 random --seed 3", game, 1)) as theirs:
        for pair in ((make_player("random", game, 1), theirs), (theirs, make_player("random", game, 2))):
            record = play_match(game, *pair)
            assert record.outcome is not None and not record.forfeit and len(record.actions) > 20


def test_moves_are_written_in_capitals() -> None:
    game = glaux.make("othello")
    assert write_move(game.initial(), game.parse_action(game.initial(), "c4")) == "C4"
