"""Records as SGF (FF[4]), for the games whose programs exchange it, as their looks say (``[sgf]``).

Black is the first player. A cell is a letter and a number, ``B[d4]``. Hex (GM[11]) writes the swap as
``W[swap-pieces]``, as HexGui and the Hex programs do; ``RU[no swap]`` says that it is not allowed. Othello
(GM[2]) does not write passes: who has to pass is simply not next.

When reading, cells may also be two letters as in Go (``B[dc]``), passes may be written (``B[]``,
``B[pass]``, ``B[tt]``), and stones that are set up are accepted if they are those of the start. Only the
main line counts; comments and other properties are passed over.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

import numpy as np
from sgfmill import sgf_grammar

from glaux import _core
from glaux.errors import GlauxError, InvalidAction, InvalidFile, InvalidParameter
from glaux.looks.finding import look_named, look_of, looks
from glaux.records.record import Record
from glaux.rules.game import Game, State
from glaux.rules.registry import make

COLOURS = {"B": True, "W": False}
PASSES = ("", "pass", "tt")
RESULTS = {1: "B+", 0: "0", -1: "W+", None: "?"}
FORFEITS = {1: "B+Forfeit", 0: "0", -1: "W+Forfeit"}

Properties = dict[str, list[bytes]]


def write_sgf(record: Record) -> bytes:
    """The record as a game tree; InvalidParameter if SGF can't hold it."""
    game, form = record.game, look_of(record.game).sgf
    if not form.game or record.start != game.initial():
        raise InvalidParameter(f"SGF holds matches of {_titles()} from their start: use another ending.")
    root = {
        "FF": "4",
        "CA": "UTF-8",
        "AP": "Glaux",
        "GM": str(form.game),
        "SZ": str(game.spec.board.rows),
        "RE": FORFEITS[record.verdict] if record.verdict is not None else RESULTS[record.outcome],
    }
    for key, value in (("PB", record.players[0]), ("PW", record.players[1]), ("GC", record.reason)):
        if value:
            root[key] = value
    for text, settings in form.rules.items():
        if settings.items() <= game.parameters.items():
            root["RU"] = text
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = [{key: [_escaped(value)] for key, value in root.items()}]
    for state, text in zip(record.states, record.texts, strict=False):
        if text != "pass" or not form.silent_passes:
            colour = "B" if game.first_player(state) else "W"
            tree.sequence.append({colour: [_escaped(form.words.get(text, text))]})
    written: bytes = sgf_grammar.serialise_game_tree(tree)
    return written


def read_sgf(data: bytes) -> list[Record]:
    """All the records of a collection; InvalidFile with a sentence about what is wrong."""
    try:
        trees = sgf_grammar.parse_sgf_collection(data)
    except ValueError as error:
        raise InvalidFile(f"This is not SGF: {error}.") from None
    return [_record(tree, number) for number, tree in enumerate(trees, start=1)]


def _escaped(value: str) -> bytes:
    return re.sub(r"([]\\])", r"\\\1", value).encode("utf-8", "replace")


def _plain(value: bytes) -> str:
    return re.sub(r"\\(.)", r"\1", value.decode("utf-8", "replace"), flags=re.DOTALL)


def _value(properties: Properties, key: str, default: str = "") -> str:
    return _plain(properties[key][0]) if key in properties else default


def _record(tree: sgf_grammar.Coarse_game_tree, number: int) -> Record:
    nodes = list(sgf_grammar.main_sequence_iter(tree))
    root = nodes[0]
    try:
        game = _game(root)
        record = Record(game.initial(), (_value(root, "PB"), _value(root, "PW")))
        for node in nodes:
            _check_setup(game, node)
            for first, text in _moves(node):
                _play(record, first, text.strip().lower())
        _set_result(record, root)
    except GlauxError as error:
        raise InvalidFile(f"Match {number} of the SGF: {error}") from None
    return record


def _titles(numbers: bool = False) -> str:
    """The games that SGF holds, for sentences."""
    forms = {info.title: look_named(info.name).sgf.game for info in _core.registry()}
    held = sorted((title, number) for title, number in forms.items() if number)
    return " and ".join(f"{title} ({number})" if numbers else title for title, number in held)


def _game(root: Properties) -> Game:
    names = {str(look.sgf.game): name for name, look in looks().items() if look.sgf.game}
    code = _value(root, "GM", "1")
    if code not in names:
        raise InvalidFile(f"GM[{code[:10]}] is none of {_titles(numbers=True)}.")
    form = look_named(names[code]).sgf
    size = _value(root, "SZ", str(form.size))
    found = re.fullmatch(r"([0-9]{1,2})(?::([0-9]{1,2}))?", size)
    if not found or (found[2] or found[1]) != found[1]:
        raise InvalidFile(f"SZ[{size[:10]}] is not the size of a square board.")
    return make(names[code], size=found[1], **form.rules.get(_value(root, "RU"), {}))


def _moves(node: Properties) -> Iterator[tuple[bool, str]]:
    for key, first in COLOURS.items():
        if key in node:
            yield first, _value(node, key)


def _play(record: Record, first: bool, text: str) -> None:
    game = record.game
    if text in ("resign", "forfeit"):
        record.decide(-1 if first else 1, text)
        return
    implied = game.terminal(record.state) or game.first_player(record.state) != first
    form = look_of(game).sgf
    if text in PASSES and form.silent_passes:
        # A pass that was implied already, because its player is not next.
        if not implied:
            raise InvalidAction("A player passes who has a move.")
        return
    if record.outcome is not None:
        raise InvalidAction(f"'{text}' comes after the end.")
    if implied:
        raise InvalidAction(f"'{text}' is played by the wrong colour.")
    ours = {theirs: word for word, theirs in form.words.items()}
    record.play(game.parse_action(record.state, ours.get(text) or _cell(text)))
    record.play_passes()


def _cell(text: str) -> str:
    """The cell as the game writes it."""
    letters = string.ascii_lowercase
    if len(text) == 2 and text[0] in letters and text[1] in letters:
        return f"{text[0]}{letters.index(text[1]) + 1}"
    return text


def _check_setup(game: Game, node: Properties) -> None:
    if not any(key in node for key in ("AB", "AW", "AE")):
        return
    stones = {key: _stones(node, key) for key in ("AB", "AW")}
    if "AE" in node or stones != _start_stones(game, game.initial()):
        raise InvalidFile("Stones are set up that the start of the game does not have.")


def _stones(node: Properties, key: str) -> set[str]:
    return {_cell(_plain(value).strip().lower()) for value in node.get(key, [])}


def _start_stones(game: Game, state: State) -> dict[str, set[str]]:
    symbols = np.array(game.spec.symbols)[game.cells(state).ravel()]
    board = game.spec.board
    return {
        key: {board.cell_text(cell) for cell in range(len(symbols)) if symbols[cell] == symbol}
        for key, symbol in (("AB", "X"), ("AW", "O"))
    }


def _set_result(record: Record, root: Properties) -> None:
    if record.outcome is not None or "RE" not in root:
        return
    text = _value(root, "RE").strip()
    verdict = {"B": 1, "W": -1, "0": 0, "D": 0}.get(text[:1].upper())
    if verdict is not None:
        record.decide(verdict, _value(root, "GC"))
