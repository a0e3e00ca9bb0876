"""Hub 2, the text protocol of draughts engines: its lines, positions and moves.

A line is a word and arguments, ``level move-time=5``; values with spaces stand in quotes. A position is the
player to move, ``W`` or ``B``, and a letter for each dark square from the top: ``w`` and ``b`` men, ``W`` and
``B`` kings, ``e`` none. A move is ``32-28``; a capture has the squares of its start and end and then
those of all the pieces that it takes, in any order: ``28x10x23x14``. Ours are single jumps, so that a move
there may be several actions here. The look of a game has the letters of its pieces (``[hub]``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from glaux.errors import InvalidAction, InvalidFile, InvalidParameter
from glaux.looks.finding import look_of
from glaux.looks.turns import Turn, all_turns
from glaux.rules.game import Game, State
from glaux.rules.positions import present_cells, state_without_past, symbols_of

EMPTY = "e"
_ARGUMENT = re.compile(r'([^\s="]+)(?:="([^"]*)"|=([^\s"]*))?')


@dataclass(frozen=True)
class HubLine:
    """A line of either side."""

    word: str
    arguments: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join([self.word, *(_write(key, value) for key, value in self.arguments.items())])


def _write(key: str, value: str) -> str:
    quoted = f'"{value}"' if not value or re.search(r"[\s=]", value) else value
    return f"{key}={quoted}"


def parse_line(text: str) -> HubLine | None:
    """A line; None if it is empty. An argument without a value has the empty one."""
    word, _, rest = text.strip().partition(" ")
    if not word:
        return None
    found = _ARGUMENT.finditer(rest)
    return HubLine(word, {match[1]: match[2] if match[2] is not None else match[3] or "" for match in found})


def letters_of(game: Game) -> dict[str, str]:
    """The letters of our symbols; InvalidParameter if Hub does not have the game."""
    letters = dict(look_of(game).hub.pieces)
    if not letters:
        raise InvalidParameter(f"Hub does not support {game.spec.title}.")
    return letters


def write_position(state: State) -> str:
    """A position as Hub writes it."""
    letters = letters_of(state.game)
    signs = [letters.get(symbol, EMPTY) for symbol in symbols_of(state).values()]
    return ("W" if state.game.first_player(state) else "B") + "".join(signs)


def read_position(game: Game, text: str) -> State:
    """The state of a position, without a history; InvalidFile or InvalidState if it is not valid."""
    symbols = {letter: symbol for symbol, letter in letters_of(game).items()} | {EMPTY: game.spec.symbols[0]}
    cells, signs = present_cells(game), text[1:]
    if text[:1] not in ("W", "B") or len(signs) != len(cells) or not set(signs) <= symbols.keys():
        raise InvalidFile(f"'{text[:80]}' is not a position of {game.spec.title}.")
    found = {cell: symbols[sign] for cell, sign in zip(cells, signs, strict=True)}
    return state_without_past(game, found, text[0] == "W")


def move_text(turn: Turn) -> str:
    """The move that a turn is."""
    numbers = {cell: number for number, cell in enumerate(present_cells(turn.now.game), start=1)}
    cells = [turn.path[0], turn.path[-1], *sorted(turn.taken)]
    return ("x" if turn.taken else "-").join(str(numbers[cell]) for cell in cells)


def turns(state: State) -> dict[str, Turn]:
    """The turns that can be played, by their moves."""
    return {move_text(turn): turn for turn in all_turns(state)}


def read_move(state: State, text: str) -> tuple[int, ...]:
    """The actions of a move; InvalidAction if it is not legal."""
    legal = turns(state)
    numbers = re.findall(r"[0-9]{1,3}", text)
    ends, taken = numbers[:2], sorted(numbers[2:], key=int)
    name = ("x" if "x" in text else "-").join([*ends, *taken])
    if name in legal:
        return legal[name].actions
    # Without the pieces that were taken, as people write, a move must be the only one of its ends.
    fitting = [key for key in legal if not taken and re.split("[x-]", key)[:2] == ends]
    if len(fitting) == 1:
        return legal[fitting[0]].actions
    raise InvalidAction(
        f"'{text[:40]}' is not a legal move here; legal moves are {', '.join(list(legal)[:8])}."
    )
