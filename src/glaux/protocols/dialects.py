"""How GTP is spoken for each game: boards, colours and actions.

The first player is black. An action is written as the game writes it, ``play black a2a3``, and each
action of a turn that has several is a move of its own. Where the programs of a game speak otherwise, its
look says how (``[gtp]`` in ``glaux.looks``): another word for the swap, capitals, passes without a word,
white for the first player, turns in one move.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from glaux.errors import InvalidAction, InvalidParameter
from glaux.looks.finding import look_of
from glaux.looks.look import GtpForm
from glaux.rules.game import Game, State
from glaux.rules.registry import make_named

COLOURS = {"b": "black", "black": "black", "w": "white", "white": "white"}
JOINT = "-"
"""between the actions of a turn that is one move"""


class GtpDialect(GtpForm):
    """The form that the look of a game gives to GTP, as a writer and a reader of actions."""

    def write(self, state: State, action: int) -> str:
        """An action for ``play`` or as the answer to ``genmove``."""
        text = state.game.action_text(state, action)
        if text in self.words:
            return self.words[text]
        return text.upper() if self.capitals and text != "pass" else text

    def read(self, state: State, text: str) -> int:
        """The action of a text; InvalidAction if it is not legal."""
        ours = {theirs: word for word, theirs in self.words.items()}
        return state.game.parse_action(state, ours.get(text.lower(), text))

    def parts(self, move: str) -> list[str]:
        """The texts of the actions of a move."""
        return move.split(JOINT) if self.turn > 1 else [move]

    def colour(self, first: bool) -> str:
        """The colour of a player."""
        return self.first if first else {"black": "white", "white": "black"}[self.first]

    def is_first(self, colour: str) -> bool:
        """Whether a colour is the first player's."""
        return colour == self.first

    def check_colour(self, state: State, first: bool) -> None:
        """InvalidAction if it is the other player's turn."""
        if not state.game.terminal(state) and state.game.first_player(state) != first:
            raise InvalidAction(f"It is {self.colour(not first)}'s turn.")


def dialect_of(game: Game) -> GtpDialect:
    """The dialect in which this game is spoken."""
    return GtpDialect(**vars(look_of(game).gtp))


def parse_colour(text: str) -> str:
    """The colour of a text, black or white; InvalidParameter if it is neither."""
    if text.lower() not in COLOURS:
        raise InvalidParameter(f"'{text}' is not a colour: there are black and white.")
    return COLOURS[text.lower()]


def board_size(game: Game) -> str:
    """The arguments of ``boardsize``: one number if the board is square, else columns and rows."""
    board = game.spec.board
    return str(board.rows) if board.rows == board.columns else f"{board.columns} {board.rows}"


def resized(game: Game, arguments: Sequence[str]) -> Game:
    """The game on a board of ``N``, ``NxN`` or ``COLUMNS ROWS``; InvalidParameter if there is none."""
    numbers = re.fullmatch(r"([0-9]{1,3})(?:[ x]([0-9]{1,3}))?", " ".join(arguments).lower())
    if not numbers:
        raise InvalidParameter("A size must be a number, or columns and rows.")
    columns, rows = int(numbers[1]), int(numbers[2] or numbers[1])
    board = game.spec.board
    if (board.columns, board.rows) == (columns, rows):
        return game
    for name in ("size", "sheet"):
        if name in game.parameters and columns == rows:
            # The size of a board of hexagons may be its side.
            by_side = board.rows == 2 * game.parameters[name] - 1
            if by_side and rows % 2 == 0:
                break
            side = (rows + 1) // 2 if by_side else rows
            return make_named(game.name, game.parameters | {name: side})
    if "rows" in game.parameters and "columns" in game.parameters:
        return make_named(game.name, game.parameters | {"rows": rows, "columns": columns})
    raise InvalidParameter(f"{game.spec.title} has no board of {columns} columns and {rows} rows.")
