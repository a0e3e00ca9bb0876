"""Glaux as an engine that speaks UCI and its dialects."""

from __future__ import annotations

import random
import time

import pyffish
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glaux
from glaux.engine.uci import UciEngine
from glaux.players.registry import make_player
from glaux.protocols.uci import UCI, parse_go, variant_of
from tests.protocols.matches import boards
from tests.protocols.wild import WILD_TEXT


def engine(text: str = "breakthrough", player: str = "mcts:iterations=50") -> UciEngine:
    game = glaux.make(text)
    return UciEngine(game, make_player(player, game, 1), "Glaux")


def ask(ours: UciEngine, line: str) -> list[str]:
    return (ours.answer(line) or "").splitlines()


def test_a_dialogue_in_uci() -> None:
    ours = engine()
    assert ask(ours, "uci") == [
        "id name Glaux",
        "id author Glaux",
        "option name UCI_Variant type combo default breakthrough var breakthrough",
        "option name Ponder type check default false",
        "uciok",
    ]
    assert ask(ours, "isready") == ["readyok"]
    assert ask(ours, "setoption name UCI_Variant value breakthrough") == []
    assert ask(ours, "setoption name UCI_Variant value chess") == [
        "info string This engine plays breakthrough, not chess."
    ]
    assert ask(ours, "setoption name Hash value 16") == ["info string There is no option 'hash'."]
    assert ask(ours, "ucinewgame") == ask(ours, "stop") == ask(ours, "ponderhit") == ask(ours, "") == []
    assert ask(ours, "position startpos moves b2b3 c7c6") == []
    assert ours.record.texts == ["b2b3", "c7c6"]
    *_, info, best = ask(ours, "go movetime 100")
    assert info.startswith("info depth ") and " score cp " in info and " pv " in info
    assert best.startswith("bestmove ")
    assert ask(ours, f"position startpos moves b2b3 c7c6 {best.split()[1]}") == []
    assert len(ours.record.texts) == 3, "the match goes on"
    assert ask(ours, "position startpos moves b2b4")[0].startswith("info string 'b2b4' is not a legal move")
    assert len(ours.record.texts) == 3, "a mistake changes nothing"
    assert ask(ours, "fly") == ["info string There is no command 'fly'."]
    assert ask(ours, "quit") == [] and ours.ended


def test_a_win_that_is_proven_is_told_as_mate() -> None:
    ours = engine(player="ubfms:seconds=5")
    ask(ours, "position fen 8/P7/8/8/8/8/7p/8 b - - 0 1")
    *_, info, best = ask(ours, "go depth 1")
    assert " score mate 1 " in info and best.startswith("bestmove h2")
    ask(ours, "position fen P7/8/8/8/8/8/7p/8 b - - 0 1")
    assert ask(ours, "go") == ["bestmove (none)"]


def test_a_search_to_a_depth_is_done_when_it_is_there() -> None:
    ours = engine(player="alphabeta:depth=2")
    assert ask(ours, "go")[-1].startswith("bestmove ")
    assert ask(ours, "go movetime 1000000")[-1].startswith("bestmove ")
    scripted(ours, *[None] * 5, "stop\n")
    assert ask(ours, "go infinite")[-1].startswith("bestmove ")


def test_a_dialogue_in_ucci() -> None:
    ours = engine("xiangqi", "mcts:seconds=0.05")
    assert ask(ours, "ucci")[-1] == "ucciok" and "option usemillisec type check default false" in ask(
        ours, "ucci"
    )
    assert ask(ours, "setoption usemillisec true") == ask(ours, "setoption newgame") == []
    start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
    assert ask(ours, f"position fen {start} moves h2e2 h9g7") == []
    *_, info, best = ask(ours, "go time 60000 increment 0")
    assert " score cp " not in info and " score " in info
    assert best.split()[1] in ours.notation.moves(ours.record.state)
    assert ask(ours, "fly") == ["info message There is no command 'fly'."]
    ask(ours, "position fen R3k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1")
    assert ask(ours, "go depth 3") == ["nobestmove"]
    assert ask(ours, "quit") == ["bye"]


def test_a_dialogue_in_uai() -> None:
    ours = engine("ataxx", "mcts:iterations=20")
    assert ask(ours, "uai")[-1] == "uaiok" and ask(ours, "uainewgame") == []
    assert ask(ours, "position fen x5o/7/7/7/7/7/o5x x 0 1 moves a6 g7e5") == []
    assert ours.record.texts == ["a2", "g1e3"]
    assert ask(ours, "go nodes 10")[-1].split()[1] in ours.notation.moves(ours.record.state)
    assert ask(ours, "ucci")[-1].startswith("info string UCCI supports xiangqi")


def test_in_uai_black_begins() -> None:
    """python-ataxx sends btime for x, who is first."""
    ours = engine("ataxx", "mcts:seconds=60")
    ask(ours, "uai")
    for moves, least, most in (("", 60.0, 60.0), (" moves a6", 0.0, 0.1)):
        ask(ours, f"position fen x5o/7/7/7/7/7/o5x x 0 1{moves}")
        seconds = ours._seconds(parse_go(["btime", "100000000", "wtime", "100", "binc", "0", "winc", "0"]))
        assert seconds is not None and least <= seconds <= most


def scripted(ours: UciEngine, *lines: str | None) -> None:
    """Let the GUI say these lines while the engine thinks, one after each look; None: nothing."""
    said = list(lines)

    def waiting() -> str | None:
        if said and said[0] is None:
            return said.pop(0)
        return said[0] if said else None

    def take() -> None:
        said.pop(0)

    ours.waiting, ours.take = waiting, take


@pytest.mark.parametrize("player", ["ubfms:value=playouts,iterations=100", "mcts:iterations=20"])
def test_the_line_begins_with_the_move(player: str) -> None:
    ours, moves = engine("xiangqi", player), list[str]()
    for _ in range(8):
        ask(ours, f"position startpos moves {' '.join(moves)}")
        *_, info, best = ask(ours, "go")
        line = info.partition(" pv ")[2].split()
        assert line[0] == best.split()[1]
        assert best.split()[2:] == (["ponder", line[1]] if line[1:] else [])
        moves.append(line[0])


def test_thinking_without_end_is_stopped() -> None:
    ours = engine(player="mcts:seconds=0.01")
    scripted(ours, None, None, "isready\n", None, "stop\n")
    answers = ask(ours, "go infinite")
    assert answers.index("readyok") < len(answers) - 1 and answers[-1].startswith("bestmove ")
    scripted(ours, None, "position startpos\n")
    assert ask(ours, "go infinite")[-1].startswith("bestmove "), "another command ends it too"
    scripted(ours, "")
    assert ask(ours, "go infinite")[-1].startswith("bestmove "), "so does the end of the GUI"


def test_the_clock_counts_for_a_player_with_another_limit() -> None:
    ours = engine(player="mcts:iterations=1000000000")
    begun = time.monotonic()
    assert ask(ours, "go movetime 50")[-1].startswith("bestmove ")
    assert time.monotonic() - begun < 20
    fast = engine(player="mcts:iterations=50")
    assert ask(fast, "go movetime 100000000")[-1].startswith("bestmove "), "but no time is waited for"


def test_pondering_goes_on_until_it_is_hit() -> None:
    ours = engine(player="mcts:seconds=0.05")
    scripted(ours, None, None, "ponderhit\n")
    infos = [line for line in ask(ours, "go ponder wtime 1000 btime 1000") if line.startswith("info")]
    assert ours.stop_word == "ponderhit" and infos
    solved = engine(player="ubfms:seconds=5")
    ask(solved, "position fen 8/P7/8/8/8/8/7p/8 b - - 0 1")
    scripted(solved, *[None] * 5, "stop\n")
    assert ask(solved, "go infinite")[-1].startswith("bestmove h2"), "it waits although it is solved"
    looks = 0

    def waiting() -> str | None:
        nonlocal looks
        looks += 1
        return "isready\n" if looks == 3 else None

    solved.waiting, solved.take = waiting, lambda: None
    answers = solved.answers("go infinite")
    assert "readyok\n" in answers, "it answers before it is stopped"
    solved.waiting = lambda: "stop\n"
    assert list(answers)[-1].startswith("bestmove h2")


@given(st.sampled_from(["position fen ", "position startpos moves ", "go ", "setoption ", ""]), WILD_TEXT)
@settings(max_examples=150, deadline=None)
def test_no_line_breaks_the_engine(command: str, text: str) -> None:
    ours = engine(player="random")
    ours.waiting = lambda: ""
    answer = ours.answer(command + text)
    assert answer is None or answer.endswith("\n")


@pytest.mark.parametrize("text", boards(UCI))
def test_the_library_leads_our_engine(text: str, seed: int) -> None:
    """A match whose moves are the library's on one side and ours on the other: all of ours are legal."""
    ours = engine(text, "mcts:iterations=3")
    variant, chance = variant_of(ours.game), random.Random(seed)
    start = ours.notation.write_position(ours.game.initial())
    moves: list[str] = []
    while len(moves) < 100:
        assert ask(ours, f"position fen {start} moves {' '.join(moves)}") == []
        legal = pyffish.legal_moves(variant, start, moves)
        if ours.game.terminal(ours.record.state):
            break
        mine = ask(ours, "go movetime 10")[-1].split()[1]
        assert mine in legal
        moves.append(mine if len(moves) % 2 else chance.choice(legal))
    assert len(moves) > 10
