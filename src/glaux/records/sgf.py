"""Records as SGF (FF[4]), for the games whose programs exchange it, as their looks say (``[sgf]``).

Black is the first player. A cell is a letter and a number, ``B[d4]``; in Go (GM[1]) two letters from the
top left, ``B[dp]``, and a pass is ``B[]``. Hex (GM[11]) writes the swap as ``W[swap-pieces]``, as HexGui and
the Hex programs do; ``RU[no swap]`` says that it is not allowed. Othello (GM[2]) does not write passes: who
has to pass is simply not next. Havannah has no number: its programs write GM[havannah].

When reading, cells may be two letters in every game, passes may be written (``B[]``, ``B[pass]``,
``B[tt]``), and stones that are set up are accepted if they are those of the start; in Go, whatever they are
(``AB``, ``AW``, ``PL``), so that handicap is read. Variations are kept where the rules allow them and dropped
elsewhere, because programs also use them for other boards; comments and other properties are passed over.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping
from contextlib import nullcontext, suppress

import numpy as np
from sgfmill import sgf_grammar

from glaux import _core
from glaux.errors import GlauxError, InvalidAction, InvalidFile, InvalidParameter
from glaux.looks.finding import look_named, look_of, looks
from glaux.looks.look import SgfForm
from glaux.records.record import RESIGNATION, TIME, Record
from glaux.records.record import RESULTS as TEXT_RESULTS
from glaux.records.text import DEEPEST
from glaux.rules.cells import cell_names
from glaux.rules.game import Game, State
from glaux.rules.registry import make

COLOURS = {"B": True, "W": False}
PASSES = ("", "pass", "tt")
RESULTS = {1: "B+", 0: "0", -1: "W+", None: "?"}
OUTCOMES = {"B": 1, "W": -1, "0": 0, "D": 0}
REASONS = {RESIGNATION: "Resign", TIME: "Time"}
"""as RE says them behind the winner; any other is a forfeit, and GC says why"""

Properties = dict[str, list[bytes]]


def write_sgf(record: Record) -> bytes:
    """The record as a game tree; InvalidParameter if SGF can't hold it."""
    game, form = record.game, look_of(record.game).sgf
    set_up = _set_up(record.start) if form.setup else {}
    if not _mark(form) or (record.start != game.initial() and not set_up):
        raise InvalidParameter(
            f"SGF can only hold matches of {_titles()} from their start: use another file extension."
        )
    root = {
        "FF": "4",
        "CA": "UTF-8",
        "AP": "Glaux",
        "GM": _mark(form),
        "SZ": str(game.parameters.get("size", game.spec.board.rows)),
        "RE": _result(record),
    }
    for key, name in form.parameters.items():
        root[key] = str(game.parameters[name])
    comment = "" if record.verdict and record.reason in REASONS else record.reason
    for key, value in (("PB", record.players[0]), ("PW", record.players[1]), ("GC", comment)):
        if value:
            root[key] = value
    for text, settings in form.rules.items():
        if settings.items() <= game.parameters.items():
            root["RU"] = text
    tree = _tree(record)
    tree.sequence.insert(0, {key: [_escaped(value)] for key, value in root.items()} | set_up)
    _unfold(tree)
    data: bytes = sgf_grammar.serialise_game_tree(tree)
    return data


def _tree(record: Record) -> sgf_grammar.Coarse_game_tree:
    """The tree of a line, without recursion along it: a line can be long."""
    top = tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = []
    for at in range(len(record.actions)):
        others = record.variations.get(at, [])
        if others:
            rest = sgf_grammar.Coarse_game_tree()
            rest.sequence = []
            tree.children = [rest, *map(_tree, others)]
            tree = rest
        tree.sequence += _node(record, at)
    return top


def _unfold(top: sgf_grammar.Coarse_game_tree) -> None:
    """Put the children of a tree without a node in its place: one of SGF begins with a node.

    A variation has none that replaces the first action of another, or that is empty, or a pass that is not
    said.
    """
    waiting = [top]
    while waiting:
        tree = waiting.pop()
        inside, found = tree.children[::-1], []
        while inside:
            child = inside.pop()
            if child.sequence:
                found.append(child)
            else:
                inside += child.children[::-1]
        tree.children = found
        waiting += found


def _node(record: Record, ply: int) -> list[Properties]:
    """An action as a node; none if it is not said."""
    game, state, text = record.game, record.states[ply], record.texts[ply]
    form = look_of(game).sgf
    if text == "pass" and form.silent_passes:
        return []
    colour = "B" if game.first_player(state) else "W"
    cells = game.action_cells(state, record.actions[ply]) if form.letters else []
    written = "".join(_letters(game, cell) for cell in cells)
    return [{colour: [_escaped(written or form.words.get(text, text))]}]


def has_sgf(game: Game) -> bool:
    """Whether SGF holds matches of this game."""
    return bool(_mark(look_of(game).sgf))


def read_sgf(data: bytes) -> list[Record]:
    """All the records of a collection; InvalidFile with a sentence about what is wrong."""
    return [read_tree(tree, number) for number, tree in enumerate(read_trees(data), start=1)]


def read_trees(data: bytes) -> list[sgf_grammar.Coarse_game_tree]:
    """The games of a collection before any of them is checked by rules."""
    try:
        trees: list[sgf_grammar.Coarse_game_tree] = sgf_grammar.parse_sgf_collection(data)
    except ValueError as error:
        raise InvalidFile(f"This is not SGF: {error}.") from None
    return trees


def _escaped(value: str) -> bytes:
    return re.sub(r"([]\\])", r"\\\1", value).encode("utf-8", "replace")


def _plain(value: bytes) -> str:
    return re.sub(r"\\(.)", r"\1", value.decode("utf-8", "replace"), flags=re.DOTALL)


def _value(properties: Properties, key: str, default: str = "") -> str:
    return _plain(properties[key][0]) if key in properties else default


def head_of(tree: sgf_grammar.Coarse_game_tree) -> dict[str, str]:
    """What the root says, by the names of tags in text."""
    root = tree.sequence[0]
    names = {_mark(look.sgf): name for name, look in looks().items() if _mark(look.sgf)}
    outcome = OUTCOMES.get(_value(root, "RE").strip()[:1].upper())
    return {
        "Game": names.get(_value(root, "GM", "1").lower(), ""),
        "First": _value(root, "PB"),
        "Second": _value(root, "PW"),
        "Result": TEXT_RESULTS[outcome],
    }


def read_tree(tree: sgf_grammar.Coarse_game_tree, number: int) -> Record:
    """One game; InvalidFile if the rules do not allow its main line."""
    root = tree.sequence[0]
    try:
        game = _game(root)
        record = Record(_start(game, root), (_value(root, "PB"), _value(root, "PW")))
        _read_lines(record, tree)
        _set_result(record, root)
    except GlauxError as error:
        raise InvalidFile(f"Match {number} of the SGF: {error}") from None
    return record


def _read_lines(record: Record, tree: sgf_grammar.Coarse_game_tree) -> None:
    """Play the main line, then every variation that the rules allow, each as far as they do."""
    root, lines = tree.sequence[0], [(record, tree, 0)]
    while lines:
        line, tree, depth = lines.pop()
        with suppress(GlauxError) if depth else nullcontext():
            while True:
                for node in tree.sequence:
                    _read_node(line, node, node is root)
                if not tree.children:
                    break
                tree, *others = tree.children
                if depth < DEEPEST and line.outcome is None:
                    at = len(line.actions)
                    lines += [(line.branch(at), other, depth + 1) for other in others]
    _prune(record)


def _prune(record: Record) -> None:
    """Drop the variations in which nothing could be played."""
    waiting = [record]
    while waiting:
        line = waiting.pop()
        kept = {ply: [one for one in others if one.actions] for ply, others in line.variations.items()}
        line.variations = {ply: others for ply, others in kept.items() if others}
        waiting += [one for others in line.variations.values() for one in others]


def _read_node(record: Record, node: Properties, root: bool) -> None:
    if not root:
        _check_setup(record.game, node)
    for first, text in _moves(node):
        _play(record, first, text.strip().lower())


def _titles(numbers: bool = False) -> str:
    """The games that SGF holds, for sentences."""
    forms = {info.title: _mark(look_named(info.name).sgf) for info in _core.registry()}
    *held, last = sorted(f"{title} ({mark})" if numbers else title for title, mark in forms.items() if mark)
    return f"{', '.join(held)} and {last}"


def _mark(form: SgfForm) -> str:
    """What GM says of a game; empty if SGF does not have it."""
    return str(form.game) if form.game else form.name


def _game(root: Properties) -> Game:
    names = {_mark(look.sgf): name for name, look in looks().items() if _mark(look.sgf)}
    code = _value(root, "GM", "1").lower()
    if code not in names:
        raise InvalidFile(f"GM[{code[:10]}] is not supported: SGF can hold {_titles(numbers=True)}.")
    form = look_named(names[code]).sgf
    size = _value(root, "SZ", str(form.size))
    found = re.fullmatch(r"([0-9]{1,2})(?::([0-9]{1,2}))?", size)
    if not found or (found[2] or found[1]) != found[1]:
        raise InvalidFile(f"SZ[{size[:10]}] is not the size of a square board.")
    said = {name: _value(root, key) for key, name in form.parameters.items() if _value(root, key)}
    return make(names[code], size=found[1], **said, **form.rules.get(_value(root, "RU"), {}))


def _moves(node: Properties) -> Iterator[tuple[bool, str]]:
    for key, first in COLOURS.items():
        if key in node:
            yield first, _value(node, key)


def _play(record: Record, first: bool, text: str) -> None:
    game = record.game
    if text in ("resign", "forfeit"):
        record.decide(-1 if first else 1, RESIGNATION if text == "resign" else text)
        return
    implied = game.terminal(record.state) or game.first_player(record.state) != first
    form = look_of(game).sgf
    if text in PASSES and form.silent_passes:
        # A pass that was implied already, because its player is not next.
        if not implied:
            raise InvalidAction("A player passes who could move.")
        return
    if record.outcome is not None:
        raise InvalidAction(f"'{text}' comes after the end.")
    if implied:
        raise InvalidAction(f"'{text}' is played by the wrong colour.")
    ours = {theirs: word for word, theirs in form.words.items()} | dict.fromkeys(PASSES, "pass")
    record.play(game.parse_action(record.state, ours.get(text) or _cell(game, text)))
    if form.silent_passes:
        record.play_passes()


def _cell(game: Game, text: str) -> str:
    """The cell as the game writes it."""
    board, letters = game.spec.board, string.ascii_lowercase
    if len(text) == 2 and text[0] in letters and text[1] in letters:
        column, row = letters.index(text[0]), letters.index(text[1])
        if column < board.columns and row < board.rows:
            return board.cell_text(row * board.columns + column)
    return text


def _letters(game: Game, cell: int) -> str:
    row, column = divmod(cell, game.spec.board.columns)
    return string.ascii_lowercase[column] + string.ascii_lowercase[row]


def _start(game: Game, root: Properties) -> State:
    """The start of a match, with the stones that are set up where the game may have any."""
    if not look_of(game).sgf.setup or not any(key in root for key in ("AB", "AW", "PL")):
        _check_setup(game, root)
        return game.initial()
    board = game.spec.board
    owners = dict.fromkeys(_stones(game, root, "AB"), "X") | dict.fromkeys(_stones(game, root, "AW"), "O")
    if not owners.keys() <= cell_names(board).keys():
        raise InvalidFile("Stones are set up outside the board.")
    # After a handicap, White is to move.
    usual = "W" if "AB" in root and "AW" not in root else "B"
    return set_up(game, owners, _value(root, "PL", usual)[:1].upper() != "W")


def set_up(game: Game, owners: Mapping[str, str], first: bool) -> State:
    """The start of a match with these symbols on named cells; InvalidState if there is none."""
    board = game.spec.board
    symbols = [owners.get(board.cell_text(cell), ".") for cell in range(board.rows * board.columns)]
    rows = ["".join(symbols[i : i + board.columns]) for i in range(0, len(symbols), board.columns)]
    return game.parse_state(f"{'/'.join(rows)} {'X 0' if first else 'O 1'}")


def _set_up(start: State) -> Properties:
    """The properties that set up a start without a past; none if it is that of the game."""
    game = start.game
    if start == game.initial() or len(game.state_text(start).split()) > 3 or game.ply(start) > 1:
        return {}
    names = cell_names(game.spec.board)
    stones = {
        key: [_letters(game, names[cell]).encode() for cell in sorted(cells)]
        for key, cells in _start_stones(game, start).items()
        if cells
    }
    return stones | {"PL": [b"B" if game.first_player(start) else b"W"]}


def _check_setup(game: Game, node: Properties) -> None:
    if not any(key in node for key in ("AB", "AW", "AE")):
        return
    stones = {key: _stones(game, node, key) for key in ("AB", "AW")}
    if "AE" in node or stones != _start_stones(game, game.initial()):
        raise InvalidFile("Stones are set up that are not part of the game's starting position.")


def _stones(game: Game, node: Properties, key: str) -> set[str]:
    return {_cell(game, _plain(value).strip().lower()) for value in node.get(key, [])}


def _start_stones(game: Game, state: State) -> dict[str, set[str]]:
    symbols = np.array(game.spec.symbols)[game.cells(state).ravel()]
    board = game.spec.board
    return {
        key: {board.cell_text(cell) for cell in range(len(symbols)) if symbols[cell] == symbol}
        for key, symbol in (("AB", "X"), ("AW", "O"))
    }


def _result(record: Record) -> str:
    game, text = record.game, RESULTS[record.outcome]
    if record.verdict:
        return text + REASONS.get(record.reason, "Forfeit")
    if record.verdict is None and record.outcome and game.spec.has_score and look_of(game).sgf.letters:
        text += f"{abs(game.score(record.state)):g}"
    return text


def _set_result(record: Record, root: Properties) -> None:
    if record.outcome is not None or "RE" not in root:
        return
    text = _value(root, "RE").strip()
    verdict = OUTCOMES.get(text[:1].upper())
    if verdict is not None:
        # One letter is enough: W+R, W+T.
        said = {word[0]: reason for reason, word in REASONS.items()}
        record.decide(verdict, said.get(text[2:3].upper()) or _value(root, "GC"))
