"""AEI: positions and turns, our engine led by a script, and a match with ourselves."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from contextlib import closing, suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glaux
from glaux.arena.match import play_match
from glaux.engine.aei import AeiEngine
from glaux.errors import GlauxError, InvalidAction, InvalidFile, InvalidParameter, InvalidState
from glaux.players.registry import make_player
from glaux.protocols.aei import (
    is_over,
    parse_best_move,
    read_position,
    read_turn,
    write_line,
    write_position,
    write_turn,
)
from glaux.records.record import Record
from glaux.rules.game import State
from tests.protocols.sessions import on_linux
from tests.protocols.wild import WILD_TEXT

GLAUX = f"{sys.executable} -m glaux"
GOLD = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ca2 Db2 Hc2 Md2 Ee2 Hf2 Dg2 Ch2"
SILVER = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ca7 db7 hc7 ed7 me7 hf7 dg7 ch7"
START = f"g [{'r' * 8}cdhemhdc{' ' * 32}CDHMEHDC{'R' * 8}]"


def random_turns(seed: int, most: int = 60) -> list[tuple[State, list[int]]]:
    """The turns of a random match, each with the state in which it begins."""
    game, chance = glaux.make("arimaa"), random.Random(seed)
    state, turns = game.initial(), list[tuple[State, list[int]]]()
    while not game.terminal(state) and len(turns) < most:
        start, actions = state, list[int]()
        while not is_over(start, state):
            actions.append(chance.choice(game.actions(state)))
            state = game.apply(state, actions[-1])
        turns.append((start, actions))
    return turns


def test_a_turn_is_written_as_people_write_it() -> None:
    game = glaux.make("arimaa")
    record = Record(game.initial()).play_all(read_turn(game.initial(), GOLD))
    record.play_all(read_turn(record.state, SILVER))
    assert write_position(record.state) == START
    turn = read_turn(record.state, "Ee2n Ee3n Ee4n Db2n")
    assert write_turn(record.state, turn) == "Ee2n Ee3n Ee4n Db2n"
    short = read_turn(record.state, "Ee2n Db2n")
    assert len(short) == 3 and write_turn(record.state, short) == "Ee2n Db2n", "ours has a pass"
    assert write_turn(record.state, read_turn(record.state, "Hc2n")) == "Hc2n Hc3x", "alone in a trap"


def test_placements_come_in_any_order() -> None:
    game = glaux.make("arimaa")
    words = GOLD.split()
    expected = game.cells(Record(game.initial()).play_all(read_turn(game.initial(), GOLD)).state)
    for seed in range(5):
        random.Random(seed).shuffle(words)
        actions = read_turn(game.initial(), " ".join(words))
        assert (game.cells(Record(game.initial()).play_all(actions).state) == expected).all()


def test_pushes_pulls_and_losses() -> None:
    game = glaux.make("arimaa")

    def position(**pieces: str) -> State:
        names = [f"{column}{row}" for row in range(8, 0, -1) for column in "abcdefgh"]
        board = "".join(next((p for p, cells in pieces.items() if n in cells.split()), " ") for n in names)
        return read_position(game, f"g [{board}]")

    state = position(R="a1", r="h8", E="c4", d="c5")
    push = read_turn(state, "dc5n dc6x Ec4n")  # onto the trap, where nobody is with it
    assert write_turn(state, push) == "dc5n dc6x Ec4n"
    assert read_turn(state, "dc5n Ec4n") == push, "losses need not be said"
    with pytest.raises(InvalidAction, match="removes from the board"):
        read_turn(state, "dc5n dc6x Ec4n Rf3x")
    pull = read_turn(state, "Ec4s Ec3x dc5s")  # who pulls is lost on the way
    assert write_turn(state, pull) == "Ec4s Ec3x dc5s"
    assert game.cells(game.apply(state, pull[0])).sum() == game.cells(position(R="a1", r="h8", d="c4")).sum()


@pytest.mark.parametrize("match", range(4))
def test_turns_and_positions_are_read_as_they_are_written(match: int, seed: int) -> None:
    """The same board comes out; ``write_turn`` asserts that its losses are those of the rules."""
    losses = 0
    for start, actions in random_turns(seed + match):
        text = write_turn(start, actions)
        losses += text.count("x")
        assert write_line(start, actions) == text
        after = start
        for action in actions:
            after = start.game.apply(after, action)
        again = start
        for action in read_turn(start, text):
            again = start.game.apply(again, action)
        assert again == after
        position = read_position(start.game, write_position(after)) if start.game.ply(after) > 31 else after
        assert (start.game.cells(position) == start.game.cells(after)).all()
    assert losses > 0


def test_what_is_wrong_is_refused() -> None:
    game = glaux.make("arimaa")
    for text in ("", "g", "g []", f"x {START[2:]}", START.replace("E", "Q"), START.replace("[", "[ ")):
        with pytest.raises(InvalidFile, match="is not a position of Arimaa"):
            read_position(game, text)
    for turn in ("", "Ra1", "Ee2n", GOLD.replace("Ra1", "Ra3"), f"{GOLD} Ra1", GOLD.replace("Ra1", "Rb1")):
        with pytest.raises(InvalidAction, match="is not a legal turn here"):
            read_turn(game.initial(), turn)
    state = read_position(game, START)
    for turn in ("Ee2n Ee3s", "Ee2w", "Ra1s", "Ee2n Ee3n Ee4n Ee5n Ee6n", "ra8s"):
        with pytest.raises(InvalidAction, match="is not a legal turn here"):
            read_turn(state, turn)
    with pytest.raises(InvalidParameter, match="AEI does not support Hex"):
        make_player("aei:sh", glaux.make("hex"), 1)
    with pytest.raises(InvalidState, match="whole turns"), closing(make_player("aei:cat", game, 1)) as player:
        player._turns([game.initial(), game.play("Ra1")], [0])  # type: ignore[attr-defined]


@given(WILD_TEXT)
def test_no_text_breaks_the_readers(text: str) -> None:
    game = glaux.make("arimaa")
    parse_best_move(text)
    for read in (lambda: read_position(game, text), lambda: read_turn(game.initial(), text)):
        with suppress(GlauxError):
            read()


# Our engine


def engine(player: str = "mcts:iterations=3") -> AeiEngine:
    game = glaux.make("arimaa")
    return AeiEngine(game, make_player(player, game, 1), "Glaux", "1.0")


def ask(ours: AeiEngine, line: str) -> list[str]:
    return (ours.answer(line) or "").splitlines()


def test_a_dialogue() -> None:
    ours = engine()
    assert ask(ours, "aei") == [
        "protocol-version 1",
        "id name Glaux",
        "id author Glaux",
        "id version 1.0",
        "aeiok",
    ]
    assert ask(ours, "isready") == ["readyok"]
    assert ask(ours, "newgame") == ask(ours, "setoption name tcmove value 1") == ask(ours, "stop") == []
    (best,) = ask(ours, "go")
    assert ours.record.actions == [], "the controller sends it back"
    assert len(best.split()) == 17 and ask(ours, f"makemove {best.partition(' ')[2]}") == []
    assert ask(ours, f"makemove {SILVER}") == [] and len(ours.record.actions) == 32
    (best,) = ask(ours, "go")
    assert ask(ours, f"makemove {best.partition(' ')[2]}") == []
    assert not ours.game.first_player(ours.record.state)
    assert ask(ours, f"setposition {START}") == [] and ours.game.first_player(ours.record.state)
    assert ask(ours, "setoption name wings value 2") == ["log Warning: There is no option 'wings'."]
    assert ask(ours, "setoption name tcmove value soon") == ["log Error: 'soon' is not a number."]
    assert ask(ours, "makemove Ee2s") == ["log Error: 'Ee2s' is not a legal turn here."]
    assert ask(ours, "fly") == ["log Error: There is no message 'fly'."]
    assert ask(ours, "quit") == [] and ours.ended


def test_the_time_of_a_turn() -> None:
    ours = engine("mcts:seconds=100")
    assert ours._seconds() == 100
    ask(ours, "setoption name tcmove value 30")
    alone = ours._seconds()
    assert alone is not None and 20 < alone < 30
    ask(ours, "setoption name greserve value 300")
    more = ours._seconds()
    assert more is not None and alone < more < 60
    ask(ours, "setoption name moveused value 320")
    assert (ours._seconds() or 100) < 10
    ask(ours, "setoption name tcturntime value 3")
    assert (ours._seconds() or 100) <= 3


def scripted(ours: AeiEngine, lines: Sequence[str | None]) -> None:
    said = list(lines)
    ours.waiting = lambda: said.pop(0) if said else ""


def test_pondering_ends_with_a_turn_only_if_it_is_stopped() -> None:
    ours = engine("mcts:seconds=0.01")
    ask(ours, f"setposition {START}")
    scripted(ours, [None, None, "isready\n", None, "stop\n"])
    answers = ask(ours, "go ponder")
    assert "readyok" in answers and answers[-1].startswith("bestmove ")
    scripted(ours, [None, "makemove Ee2n\n"])
    assert not any(line.startswith("bestmove") for line in ask(ours, "go ponder"))


@pytest.mark.parametrize("player", ["mcts:iterations=5", "random"])
def test_who_has_thought_enough_waits_for_the_stop(player: str) -> None:
    ours = engine(player)
    ask(ours, f"setposition {START}")
    scripted(ours, [None, "isready\n", None, "isready\n", "stop\n"])
    answers = ask(ours, "go ponder")
    assert answers.count("readyok") == 2 and answers[-1].startswith("bestmove ")
    scripted(ours, [None, "makemove Ee2n\n"])
    assert not any(line.startswith("bestmove") for line in ask(ours, "go ponder"))


def test_what_is_found_is_told() -> None:
    ours = engine("mcts:seconds=1.5")
    ask(ours, f"setposition {START}")
    *infos, best = ask(ours, "go")
    assert {line.split()[1] for line in infos} == {"time", "score", "depth", "nodes", "pv"}
    assert read_turn(ours.record.state, best.partition(" ")[2])


@given(st.sampled_from(["setposition ", "makemove ", "setoption name ", "go ", ""]), WILD_TEXT)
@settings(max_examples=100, deadline=None)
def test_no_line_breaks_the_engine(command: str, text: str) -> None:
    ours = engine("random")
    ours.waiting = lambda: ""
    answer = ours.answer(command + text)
    assert answer is None or answer.endswith("\n")


@on_linux
def test_a_match_with_ourselves() -> None:
    """Two processes of ours lead a whole match over AEI, set-ups and all."""
    game = glaux.make("arimaa:limit=300")
    command = "aei:seconds=0.1,command={} aei arimaa:limit=300 random --seed {}"
    with (
        closing(make_player(command.format(GLAUX, 1), game, 1)) as gold,
        closing(make_player(command.format(GLAUX, 2), game, 1)) as silver,
    ):
        record = play_match(game, gold, silver)
    assert record.outcome is not None and not record.forfeit and len(record.actions) > 60
