"""Records as PDN 3.0, the format of draughts, for the games whose looks have its number (``[pdn]``).

``GameType "20,W,10,10,N2,0"`` is the number of the game, who begins, columns and rows, how squares are
named (N numbers from the top left, A letters as in chess) and whether the board is turned. White is the
first player. A move is ``32-28``; a capture has its first and last square, ``28x19``, and where several
captures have these, all the squares on its way. Here each jump is an action. A start of another kind is
a FEN, ``W:W31,K32:B1,2``. Rules that the number does not say are kept in a tag of ours, ``Game``.

When reading, squares may be numbers or letters whatever the head says; comments, variations, numbers of
moves and marks such as ``!`` are passed over; results may be ``1-0`` or ``2-0``. A text is read in one pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from glaux.errors import GlauxError, InvalidAction, InvalidFile, InvalidParameter
from glaux.looks.finding import look_of, looks
from glaux.looks.look import PdnForm
from glaux.looks.turns import Turn, all_turns
from glaux.records.record import Record
from glaux.records.text import filled
from glaux.rules.game import Game, State
from glaux.rules.positions import present_cells, state_without_past, symbols_of
from glaux.rules.registry import make

RESULTS = {"1-0": 1, "2-0": 1, "0-1": -1, "0-2": -1, "1/2-1/2": 0, "1-1": 0, "0-0": None, "*": None}
OWN_TAGS = ("GameType", "Game", "FEN", "SetUp", "White", "Black", "Result", "Termination")
_TAG = re.compile(r'\[\s*([A-Za-z][A-Za-z0-9_]*)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_NUMBER = re.compile(r"[0-9]+\.+")
_MOVE = re.compile(r"(?:[0-9]{1,2}|[a-l][0-9]{1,2})(?:[-x:](?:[0-9]{1,2}|[a-l][0-9]{1,2}))+")
_TOKEN = re.compile(r"\s+|;[^\n]*|%[^\n]*|\{|\(|\)|\[|[^\s;{}()\[]+|[}\]]")


@dataclass
class PdnDraft:
    """A match as it was written: tags, and moves with their lines."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[tuple[int, str]] = field(default_factory=list)
    result: str = ""


def write_pdn(record: Record) -> str:
    """The record, with an empty line at its end; InvalidParameter if PDN can't hold it."""
    game = record.game
    form = _form(game)
    board = game.spec.board
    kind = f"{form.game},W,{board.columns},{board.rows},{'A0' if form.letters else 'N2'},0"
    tags = {"White": record.players[0], "Black": record.players[1], "Result": record.result, "GameType": kind}
    if _game_of(kind) != game:
        tags["Game"] = game.text
    if record.reason:
        tags["Termination"] = record.reason
    if record.start != game.initial():
        if _past(record.start):
            raise InvalidParameter(
                "PDN can't hold a match that starts from this position: use another file extension."
            )
        tags |= {"SetUp": "1", "FEN": write_fen(record.start)}
    tags |= {key: value for key, value in record.tags.items() if key not in OWN_TAGS}
    lines = [f'[{key} "{_escaped(value)}"]' for key, value in tags.items()]
    words = [*_moves(record), record.result]
    return "\n".join([*lines, "", *filled(words), "", ""])


def read_pdn(text: str, make_game: Callable[[str], Game]) -> list[Record]:
    """All the records of a text; InvalidFile with the line of what is wrong."""
    return [_played(draft, make_game) for draft in _drafts(text)]


def write_fen(state: State) -> str:
    """A position: who is to move, and the squares of both sides, K before that of a king."""
    game, names = state.game, _names(state.game)
    sides = {"W": list[str](), "B": list[str]()}
    kings = _form(game).kings
    for cell, symbol in symbols_of(state).items():
        owner = look_of(game).pieces[symbol].owner if symbol in look_of(game).pieces else ""
        if owner:
            sides["W" if owner == "first" else "B"].append(("K" if symbol in kings else "") + names[cell])
    mover = "W" if game.first_player(state) else "B"
    return f"{mover}:" + ":".join(f"{side}{','.join(squares)}" for side, squares in sides.items())


def read_fen(game: Game, text: str) -> State:
    """The state of a FEN; InvalidFile or InvalidState if not valid. Numbers may be ranges, ``31-50``."""
    wrong = InvalidFile(f"'{text[:80]}' is not a position of {game.spec.title}.")
    mover, *sides = text.strip().rstrip(".").split(":")
    cells, symbols = _cells(game), dict.fromkeys(present_cells(game), game.spec.symbols[0])
    pieces = look_of(game).pieces
    for side in sides:
        owner = {"W": "first", "B": "second"}.get(side[:1])
        for square in filter(None, side[1:].split(",")):
            king, name = square.startswith("K"), square.removeprefix("K")
            first, _, last = name.partition("-")
            names = [str(n) for n in range(int(first), int(last) + 1)] if _is_range(first, last) else [name]
            if not names:
                raise wrong
            for one in names:
                fitting = [
                    symbol
                    for symbol in game.spec.symbols
                    if symbol in pieces
                    and pieces[symbol].owner == owner
                    and (symbol in _form(game).kings) == king
                ]
                if one not in cells or not fitting:
                    raise wrong
                symbols[cells[one]] = fitting[0]
    if mover not in ("W", "B") or not sides:
        raise wrong
    return state_without_past(game, symbols, mover == "W")


def read_move(state: State, text: str) -> tuple[int, ...]:
    """The actions of a move; InvalidAction if it is not legal, or could be several."""
    cells = _cells(state.game)
    path = [cells.get(name, -1) for name in re.split("[-x:]", text)]
    fitting = [turn for turn in all_turns(state) if _fits(turn, path)]
    if len({turn.now for turn in fitting}) == 1:
        return fitting[0].actions
    if fitting:
        raise InvalidAction(f"'{text[:40]}' is ambiguous here: write all squares of the capture.")
    legal = list(dict.fromkeys(_text(turn, turn.path[:1] + turn.path[-1:]) for turn in all_turns(state)))
    raise InvalidAction(f"'{text[:40]}' is not a legal move here; legal moves are {', '.join(legal[:8])}.")


def _fits(turn: Turn, path: Sequence[int]) -> bool:
    """Whether a turn goes the way of these cells: its ends, and those between in their order."""
    if [turn.path[0], turn.path[-1]] != [path[0], path[-1]]:
        return False
    stops = iter(_stops(turn))
    return all(any(cell in stop for stop in stops) for cell in path[1:-1])


def _stops(turn: Turn) -> list[set[int]]:
    """Where each jump may be said to end: where it does, or just behind what it takes."""
    columns = turn.now.game.spec.board.columns
    found = []
    for start, end, taken in zip(turn.path[::2], turn.path[1::2], turn.taken, strict=False):
        down = 1 if end // columns > start // columns else -1
        right = 1 if end % columns > start % columns else -1
        found.append({end, taken + down * columns + right})
    return found


def _moves(record: Record) -> Iterator[str]:
    """The moves, with numbers."""
    game, turn = record.game, Turn.begin(record.start)
    number, white = 1, game.first_player(record.start)
    for ply, action in enumerate(record.actions, 1):
        turn = turn.played(action)
        if not turn.over and ply < len(record.actions):
            continue
        head = f"{number}. " if white else f"{number}... " if turn.start == record.start else ""
        yield head + _shortest(turn)
        number, white, turn = number + (not white), not white, Turn.begin(turn.now)


def _shortest(turn: Turn) -> str:
    """Its ends, if they say which turn it is, else all its squares. A turn that is cut short has all."""
    ends = (turn.path[0], turn.path[-1])
    full = (turn.path[0], *turn.path[1::2])
    if not turn.over or not turn.taken:
        return _text(turn, full)
    same = {other.now for other in all_turns(turn.start) if (other.path[0], other.path[-1]) == ends}
    return _text(turn, ends if len(same) == 1 else full)


def _text(turn: Turn, cells: Sequence[int]) -> str:
    names = _names(turn.start.game)
    return ("x" if turn.taken else "-").join(names[cell] for cell in cells)


# Reading


def _drafts(text: str) -> Iterator[PdnDraft]:
    draft: PdnDraft | None = None
    line, depth, position, comment, variation = 1, 0, 0, 0, 0
    while position < len(text):
        if comment:  # its line
            end = text.find("}", position)
            if end < 0:
                raise InvalidFile(f"Line {comment}: the comment that begins here has no end.")
            line += text.count("\n", position, end)
            position, comment = end + 1, 0
            continue
        tag = _TAG.match(text, position) if text[position] == "[" and not depth else None
        found = tag or _TOKEN.match(text, position)
        assert found
        word, position = found[0], found.end()
        if tag:
            if draft is None or draft.moves or draft.result:
                if draft is not None:
                    yield draft
                draft = PdnDraft(line)
            draft.tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
        elif word == "{":
            comment = line
        elif word in "()":
            variation = variation if depth else line
            depth = max(0, depth + (1 if word == "(" else -1))
        elif not depth and not word.isspace() and word[0] not in ";%":
            if draft is None or draft.result:
                if draft is not None:
                    yield draft
                draft = PdnDraft(line)
            _add_word(draft, word, line)
        line += word.count("\n")
    _check_closed(depth, variation)
    if draft is not None:
        yield draft


def _check_closed(depth: int, variation: int) -> None:
    """InvalidFile if what began in this line is open at the end: it has swallowed all that follows."""
    if depth:
        raise InvalidFile(f"Line {variation}: the variation that begins here has no end.")


def _add_word(draft: PdnDraft, word: str, line: int) -> None:
    move = _NUMBER.sub("", word, count=1).rstrip("!?*+#") if word not in RESULTS else ""
    if word in RESULTS:
        draft.result = word
    elif _MOVE.fullmatch(move):
        draft.moves.append((line, move))
    elif move and not re.fullmatch(r"\$[0-9]+|\.+", move):
        raise InvalidFile(f"Line {line}: '{word[:40]}' is neither a tag nor a move.")


def _played(draft: PdnDraft, make_game: Callable[[str], Game]) -> Record:
    line = draft.line
    try:
        named = draft.tags.get("Game")
        game = make_game(named) if named else _game_of(draft.tags.get("GameType", "20"))
        _form(game)
        fen = draft.tags.get("FEN")
        players = (draft.tags.get("White", ""), draft.tags.get("Black", ""))
        others = {key: value for key, value in draft.tags.items() if key not in OWN_TAGS}
        record = Record(read_fen(game, fen) if fen else game.initial(), players, tags=others)
        for number, move in draft.moves:
            line = number
            if record.outcome is not None:
                raise InvalidAction(f"'{move}' comes after the end.")
            record.play_all(read_move(record.state, move))
    except GlauxError as error:
        raise InvalidFile(f"Line {line}: {error}") from None
    verdict = RESULTS.get(draft.result or draft.tags.get("Result", "*"))
    if record.outcome is None and verdict is not None:
        record.decide(verdict, draft.tags.get("Termination", ""))
    return record


def _game_of(kind: str) -> Game:
    """The game of a GameType; InvalidFile if Glaux does not have it."""
    number, *fields = [part.strip() for part in kind.split(",")]
    for name, look in looks().items():
        if number == str(look.pdn.game):
            sizes = [field for field in fields[1:3] if field.isascii() and field.isdecimal()]
            return make(name, size=int(sizes[0][:3])) if len(set(sizes)) == 1 else make(name)
    known = ", ".join(f"{look.pdn.game} ({name})" for name, look in looks().items() if look.pdn.game)
    raise InvalidFile(f"GameType {kind[:20]} is not supported: PDN can hold {known}.")


def _form(game: Game) -> PdnForm:
    form = look_of(game).pdn
    if not form.game:
        titles = ", ".join(make(name).spec.title for name, look in looks().items() if look.pdn.game)
        raise InvalidParameter(f"PDN can only hold matches of {titles}: use another file extension.")
    return form


def _past(state: State) -> bool:
    """Whether a state is more than its board and the player to move."""
    again = state_without_past(state.game, symbols_of(state), state.game.first_player(state))
    return state.game.state_text(again).split()[3:] != state.game.state_text(state).split()[3:]


def _names(game: Game) -> dict[int, str]:
    """What squares are called when a match is written."""
    cells = present_cells(game)
    if not _form(game).letters:
        return {cell: str(number) for number, cell in enumerate(cells, start=1)}
    columns, rows = game.spec.board.columns, game.spec.board.rows
    return {cell: f"{chr(ord('a') + cell % columns)}{rows - cell // columns}" for cell in cells}


def _cells(game: Game) -> dict[str, int]:
    """The squares by all their names."""
    cells, columns, rows = present_cells(game), game.spec.board.columns, game.spec.board.rows
    numbers = {f"{number:0{width}}": cell for width in (1, 2) for number, cell in enumerate(cells, start=1)}
    letters = {f"{chr(ord('a') + cell % columns)}{rows - cell // columns}": cell for cell in cells}
    return numbers | letters


def _is_range(first: str, last: str) -> bool:
    return all(re.fullmatch(r"[0-9]{1,2}", part) for part in (first, last))


def _escaped(value: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", " ".join(value.split()))
