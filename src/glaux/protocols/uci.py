"""UCI, the text protocol of chess, as Fairy-Stockfish speaks it for games that we share with it.

The first player is white. A position is sent as FEN, so no history is needed: none of these games has
rules of repetition. The look of a game has its name and the letters of its pieces (``[uci]``). Moves are
the two cells, ``a2a3``; ours have an x in captures, theirs have not.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import TypeVar

from glaux.errors import EngineError, InvalidParameter
from glaux.looks.finding import look_of, looks
from glaux.protocols.process import EngineProcess
from glaux.rules.game import Game, State

Found = TypeVar("Found")


def variant_of(game: Game) -> str:
    """The name of the game; InvalidParameter if Fairy-Stockfish does not have it."""
    size = (game.spec.board.rows, game.spec.board.columns)
    for variant in look_of(game).uci.variants:
        if (variant.rows, variant.columns) == size:
            return variant.name
    known = ", ".join(
        f"{name} with {variant.rows} rows and {variant.columns} columns"
        for name, look in looks().items()
        for variant in look.uci.variants
    )
    raise InvalidParameter(f"UCI is spoken for {known}, not for {game.text}.")


def fen(state: State) -> str:
    """The position: rows from the top, empty cells counted, and the player to move."""
    game = state.game
    letters = look_of(game).uci.pieces
    rows = []
    for row in game.cells(state):
        pieces = [letters.get(game.spec.symbols[code], "") for code in row]
        runs = [(piece, len(list(run))) for piece, run in itertools.groupby(pieces)]
        rows.append("".join(piece * length if piece else str(length) for piece, length in runs))
    return f"{'/'.join(rows)} {'w' if game.first_player(state) else 'b'} - - 0 1"


def moves(state: State) -> dict[str, int]:
    """The legal actions by their UCI texts."""
    game = state.game
    return {game.action_text(state, action).replace("x", ""): action for action in game.actions(state)}


def parse_best_move(line: str) -> str | None:
    """The move of a ``bestmove`` line, None of another one."""
    words = line.split()
    return words[1] if len(words) > 1 and words[0] == "bestmove" else None


def parse_variants(line: str) -> list[str] | None:
    """The variants that an engine offers, if the line is that option."""
    words = line.split()
    if words[:3] != ["option", "name", "UCI_Variant"]:
        return None
    return [word for before, word in itertools.pairwise(words) if before == "var"]


def parse_perft_move(line: str) -> str | None:
    """The move of a line of ``go perft 1``."""
    move, colon, count = line.partition(":")
    return move if colon and count.strip() == "1" and move.isalnum() else None


def ask(
    engine: EngineProcess, command: str, timeout: float, found: Callable[[str], Found | None]
) -> tuple[Found, list[str]]:
    """Send a command and read lines until ``found`` finds something; with the lines before it."""
    engine.send(command)
    deadline = time.monotonic() + timeout
    lines: list[str] = []
    while True:
        line = engine.read_line(deadline, command)
        answer = found(line)
        if answer is not None:
            return answer, lines
        lines.append(line)
        if time.monotonic() > deadline:
            raise engine.failure(f"did not answer '{command}' in time")


def say_hello(engine: EngineProcess, game: Game, timeout: float) -> None:
    """Make sure that the engine speaks UCI and has the game, and choose it."""
    variant = variant_of(game)
    _, lines = ask(engine, "uci", timeout, lambda line: True if line.strip() == "uciok" else None)
    offered = next((names for names in map(parse_variants, lines) if names is not None), [])
    if variant not in offered:
        raise EngineError(f"The program {engine.name} does not have the variant {variant}.")
    engine.send(f"setoption name UCI_Variant value {variant}")


def wait_until_ready(engine: EngineProcess, timeout: float) -> None:
    """Wait until the engine has done all that it was told."""
    ask(engine, "isready", timeout, lambda line: True if line.strip() == "readyok" else None)


def legal_moves(engine: EngineProcess, state: State, timeout: float) -> set[str]:
    """The moves that the engine thinks are legal."""
    engine.send(f"position fen {fen(state)}")
    _, lines = ask(engine, "go perft 1", timeout, lambda line: True if "Nodes searched" in line else None)
    return {move for move in map(parse_perft_move, lines) if move is not None}
