"""AEI, the text protocol of Arimaa programs: positions and turns.

The controller begins with ``aei``, answered by who the engine is and ``aeiok``. It sends ``newgame`` or
``setposition g [...]``, all turns of both sides by ``makemove``, and ``go``; the engine answers ``bestmove``
with a whole turn. A position has a letter or a space for each cell from the top left. A turn is written
as people write it: ``Ra1 Rb1 ...`` sets up, ``Ee2n`` is a step, and what is lost is written behind the
step that has done it, ``cc3x``. A push or a pull is two steps there and one action here, and a turn of
fewer than four steps ends without a word, where ours passes. The look has the letters of the players
(``[aei]``) and where the traps are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from glaux.errors import InvalidAction, InvalidFile, InvalidParameter
from glaux.looks.finding import codes_of, look_of
from glaux.looks.look import AeiForm
from glaux.rules.cells import cell_names
from glaux.rules.game import Game, State
from glaux.rules.positions import present_cells, state_without_past, symbols_of

VERSION = "protocol-version 1"
PASS = "pass"
PIECES, STEPS = 16, 4
"""of the turns that set up, and the most of any other"""
_WORD = re.compile(r"([A-Za-z])([a-z][0-9])([nesw]?)")
_STEPS = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}


def form_of(game: Game) -> AeiForm:
    """How AEI speaks of a game; InvalidParameter if it does not."""
    form = look_of(game).aei
    if not form.first:
        raise InvalidParameter(f"AEI does not support {game.spec.title}.")
    return form


def player_letter(game: Game, first: bool) -> str:
    """The letter of a player."""
    form = form_of(game)
    return form.first if first else form.second


def write_position(state: State) -> str:
    """The arguments of ``setposition``."""
    empty = state.game.spec.symbols[0]
    cells = "".join(" " if symbol == empty else symbol for symbol in symbols_of(state).values())
    return f"{player_letter(state.game, state.game.first_player(state))} [{cells}]"


def read_position(game: Game, text: str) -> State:
    """The state of a position, without a history; InvalidFile or InvalidState if it is not valid."""
    form, symbols = form_of(game), game.spec.symbols
    cells = present_cells(game)
    found = re.fullmatch(rf"\s*(\w)\s*\[(.{{{len(cells)}}})\]\s*", text)
    if not found or found[1] not in (form.first, form.second):
        raise InvalidFile(f"'{text[:80]}' is not a position of {game.spec.title}.")
    signs = [symbols[0] if sign == " " else sign for sign in found[2]]
    if not set(signs) <= set(symbols):
        raise InvalidFile(f"'{text[:80]}' is not a position of {game.spec.title}.")
    return state_without_past(game, dict(zip(cells, signs, strict=True)), found[1] == form.first)


def is_over(start: State, now: State) -> bool:
    """Whether the turn that has begun in one state is over in another."""
    game = start.game
    return game.terminal(now) or game.first_player(now) != game.first_player(start)


def is_placing(state: State) -> bool:
    """Whether the mover sets up."""
    found = _WORD.fullmatch(state.game.action_text(state, state.game.actions(state)[0]))
    return found is not None and not found[3]


def write_turn(start: State, actions: Iterable[int]) -> str:
    """The actions of a turn, or of the part of it that is known."""
    game, state = start.game, start
    board, words = symbols_of(start), list[str]()
    names = cell_names(game.spec.board)
    for action in actions:
        for word in _parts(state, action):
            words.append(word)
            found = _WORD.fullmatch(word)
            assert found
            piece, cell = found[1], names[found[2]]
            if found[3]:
                board[cell] = game.spec.symbols[0]
                cell += _shift(game, found[3])
            board[cell] = piece
            words += _take_lost(game, board)
        state = game.apply(state, action)
        assert board == symbols_of(state), "the board follows the rules"
    return " ".join(words)


def read_turn(state: State, text: str) -> tuple[int, ...]:
    """The actions of a whole turn; InvalidAction if it is not legal.

    Placements may stand in any order. What is said to be lost must be so.
    """
    words = text.split()
    game = state.game
    moving = [word for word in words if not word.endswith("x")]
    actions = _place(state, moving) if is_placing(state) else _step(state, state, moving)
    if actions is None or not moving:
        raise InvalidAction(f"'{text[:80]}' is not a legal turn here.")
    lost = sorted(word for word in words if word.endswith("x"))
    if lost and lost != sorted(word for word in write_turn(state, actions).split() if word.endswith("x")):
        raise InvalidAction(f"'{text[:80]}' does not match what {game.spec.title} removes from the board.")
    return actions


def write_line(state: State, actions: Sequence[int]) -> str:
    """Turns from a state on, each but the first behind the letter of its player."""
    game, parts = state.game, list[str]()
    start, turn = state, list[int]()
    for number, action in enumerate(actions, 1):
        turn.append(action)
        state = game.apply(state, action)
        if is_over(start, state) or number == len(actions):
            head = [player_letter(game, game.first_player(start))] if parts else []
            parts += [*head, *filter(None, [write_turn(start, turn)])]
            start, turn = state, []
    return " ".join(parts)


def parse_best_move(line: str) -> str | None:
    """The turn of a ``bestmove`` line; None of another one."""
    word, _, rest = line.strip().partition(" ")
    return rest if word == "bestmove" else None


def _parts(state: State, action: int) -> list[str]:
    """The steps of an action; none of a pass."""
    text = state.game.action_text(state, action)
    return [] if text == PASS else text.split(",")


def _place(state: State, words: list[str]) -> tuple[int, ...] | None:
    """The placements in the order of the rules."""
    game, left, actions = state.game, set(words), list[int]()
    start = state
    while not is_over(start, state):
        legal = {game.action_text(state, action): action for action in game.actions(state)}
        fitting = [text for text in legal if text in left]
        if not fitting:
            return None
        left.remove(fitting[0])
        actions.append(legal[fitting[0]])
        state = game.apply(state, actions[-1])
    return tuple(actions) if not left and len(words) == len(actions) else None


def _step(start: State, state: State, words: Sequence[str]) -> tuple[int, ...] | None:
    """The actions that these steps are until the turn is over: steps may be joined in different ways."""
    game = state.game
    if is_over(start, state):
        return () if not words else None
    for action in game.actions(state):
        parts = _parts(state, action)
        if parts != list(words[: len(parts)]) or bool(parts) != bool(words):
            continue
        rest = _step(start, game.apply(state, action), words[len(parts) :])
        if rest is not None:
            return (action, *rest)
    return None


def _take_lost(game: Game, board: dict[int, str]) -> list[str]:
    """Take from the board what stands in a trap without a friend beside it."""
    names = cell_names(game.spec.board)
    traps = [cell for mark in look_of(game).board.marks if mark.shape == "trap" for cell in mark.cells]
    sides = [{game.spec.symbols[code] for code in codes_of(game, owner)} for owner in ("first", "second")]
    words = []
    for trap in traps:
        cell = names[trap]
        around = {board.get(cell + _shift(game, way)) for way in _STEPS}
        friends = next((side for side in sides if board[cell] in side), None)
        if friends is not None and not friends & around:
            words.append(f"{board[cell]}{trap}x")
            board[cell] = game.spec.symbols[0]
    return words


def _shift(game: Game, way: str) -> int:
    rows, columns = _STEPS[way]
    return rows * game.spec.board.columns + columns
