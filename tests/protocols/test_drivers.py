"""Whole matches led by drivers that others wrote: AEI's controller, python-ataxx."""

from __future__ import annotations

import random
import shlex
import sys

import pytest

from tests.protocols.sessions import on_linux

GLAUX = [sys.executable, "-m", "glaux"]


@on_linux
def test_the_controller_of_aei_leads_a_match() -> None:
    """Its rules take every turn of ours, and it sees the engine end."""
    aei, boards = pytest.importorskip("pyrimaa.aei"), pytest.importorskip("pyrimaa.board")
    aei.START_TIME = aei.INIT_TIME = 120.0
    engine = aei.get_engine("stdio", "exec " + shlex.join([*GLAUX, "aei", "arimaa", "mcts:iterations=20"]))
    try:
        controller = aei.EngineController(engine)
        assert controller.ident["name"] == "Glaux" and controller.protocol_version == 1
        controller.newgame()
        position = boards.Position(boards.Color.GOLD, 4, boards.BLANK_BOARD)
        for _ in range(20):
            controller.go()
            response = controller.get_response(120)
            while response.type != "bestmove":
                response = controller.get_response(120)
            position = position.do_move_str(response.move)
            controller.makemove(response.move)
            if position.is_end_state():
                break
        assert not [answer for answer in controller.isready(120) if answer.type == "log"]
        controller.quit()
        assert engine.proc.wait(60) == 0
    finally:
        engine.cleanup()


@on_linux
@pytest.mark.filterwarnings("ignore:line buffering:RuntimeWarning")  # of its pipes
@pytest.mark.parametrize("ours", [0, 1])
def test_python_ataxx_leads_a_match(ours: int) -> None:
    """A whole match in UAI, by moves and by positions, against a random player."""
    ataxx, uai = pytest.importorskip("ataxx"), pytest.importorskip("ataxx.uai")
    rng, board = random.Random(1), ataxx.Board()
    moves: list[str] = []
    engine = uai.Engine([*GLAUX, "uci", "ataxx", "mcts:iterations=20"])
    try:
        engine.uai()
        engine.isready()
        engine.uainewgame()
        while not board.gameover() and len(moves) < 60:
            move = rng.choice(board.legal_moves())
            if board.turn == ours:
                engine.position(ataxx.FEN_STARTPOS, " ".join(moves))
                move = ataxx.Move.from_san(engine.go(times=(60000, 60000, 0, 0), maxwait=120)[0])
                assert board.is_legal(move), (str(move), board.get_fen())
            board.makemove(move)
            moves.append(str(move))
        assert engine.name == "Glaux mcts:iterations=20" and len(moves) > 5
    finally:
        engine.quit()
