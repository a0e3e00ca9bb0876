"""Thinking in the opponent's time: one way of it for all engines."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from typing import Any

import pytest

import glaux
from glaux.engine.aei import AeiEngine
from glaux.engine.entering import entrant_maker
from glaux.engine.gtp import GtpEngine
from glaux.engine.hub import HubEngine
from glaux.engine.nboard import NBoardEngine
from glaux.engine.olympiad import Entrant
from glaux.engine.serving import LineEngine, serve
from glaux.engine.thinking import ponder
from glaux.engine.uci import UciEngine
from glaux.players.player import Player
from glaux.players.registry import make_player
from glaux.players.searching import SearchPlayer
from glaux.rules.game import Game
from glaux.search.tree import Tree

ARIMAA = f"g [{'r' * 8}cdhemhdc{' ' * 32}CDHMEHDC{'R' * 8}]"


def made(text: str) -> tuple[Game, Player]:
    game = glaux.make(text)
    return game, make_player("mcts:iterations=20", game, 1)


def gtp() -> LineEngine:
    return GtpEngine(
        glaux.make("othello"), lambda game: make_player("mcts:iterations=20", game, 1), "Glaux", "1"
    )


CASES: dict[str, tuple[Callable[[], LineEngine], list[str], str, str]] = {
    "gtp": (gtp, [], "genmove b", "play w {}"),
    "olympiad": (
        lambda: Entrant(entrant_maker(None, 0.05, 1), "Glaux", "1"),
        ["game othello8"],
        "genmove 0",
        "clear_board",
    ),
    "uci": (lambda: UciEngine(*made("breakthrough"), "Glaux"), ["uci"], "go nodes 9", "position startpos"),
    "hub": (lambda: HubEngine(*made("brazilian_draughts"), "Glaux", "1"), ["hub"], "go think", "new-game"),
    "aei": (
        lambda: AeiEngine(*made("arimaa"), "Glaux", "1"),
        ["aei", f"setposition {ARIMAA}"],
        "go",
        "newgame",
    ),
    "nboard": (lambda: NBoardEngine(*made("othello"), "Glaux"), ["nboard 2"], "go", "move PA"),
}
"""an engine, what is said before it is asked, how it is asked, and what ends its pondering"""


@pytest.mark.parametrize("name", CASES)
def test_after_a_move_there_is_something_to_think_about(name: str) -> None:
    make, before, asked, following = CASES[name]
    engine = make()
    for line in before:
        engine.answer(line)
        assert engine.opponents_turn() is None
    engine.answer(asked)
    turn = engine.opponents_turn()
    assert turn is not None
    player, state = turn
    assert isinstance(player, SearchPlayer) and not state.game.terminal(state)
    assert not state.game.first_player(state), "the other player is next"
    reply = state.game.action_text(state, state.game.actions(state)[0])
    engine.answer(following.format(reply))
    assert engine.opponents_turn() is None
    engine.close()


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("ponders", [True, False])
def test_an_engine_thinks_while_it_waits(name: str, ponders: bool) -> None:
    """The next line comes when it has thought about the state twice, or at once if it does not ponder."""
    make, before, asked, _ = CASES[name]
    engine = make()
    engine.ponders = ponders
    found: list[int] = []

    def count() -> None:
        """Note how often the search is run for the state after the move."""
        turn = engine.opponents_turn()
        assert turn is not None and isinstance(turn[0], SearchPlayer)
        search, run = turn[0].search, turn[0].search.run

        def counted(*state: glaux.State, **limits: Any) -> Tree:
            found.append(1)
            return run(*state, **limits)

        search.run = counted  # type: ignore[method-assign]

    class Patient(io.BytesIO):
        answered = False

        def readline(self, size: int | None = -1, /) -> bytes:
            line = super().readline(size)
            deadline = time.monotonic() + 240
            while line == b"quit\n" and ponders and len(found) < 2:
                assert time.monotonic() < deadline, "it does not ponder"
                time.sleep(0.01)
            return line

    opponents_turn, noted = engine.opponents_turn, list[int]()

    def watched() -> tuple[Player, glaux.State] | None:
        turn = opponents_turn()
        if turn is not None and not noted:
            noted.append(1)
            engine.opponents_turn = opponents_turn  # type: ignore[method-assign]
            count()
        return turn

    engine.opponents_turn = watched  # type: ignore[method-assign]
    lines = "\n".join([*before, asked, "quit"]) + "\n"
    serve(engine, Patient(lines.encode()), io.BytesIO())
    assert bool(found) == ponders


def test_what_was_pondered_is_known() -> None:
    game, player = made("connect_four")
    assert isinstance(player, SearchPlayer)
    state = game.play("4 4 3")
    looks = iter([False] * 3)
    ponder(player, state, lambda: next(looks, True))
    assert sum(row.n for row in player.search.run(state, iterations=1).children()) > 20
    ponder(make_player("random", game, 1), state, lambda: True)
    ponder(player, game.play("1 2 1 2 1 2 1"), lambda: False)  # over: nothing to think about
