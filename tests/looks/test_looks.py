"""Every game has a look, and whoever shows or sends a game reads it there."""

from __future__ import annotations

import ast
import dataclasses
import random
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import glaux
from glaux import _core
from glaux.errors import BrokenRules, InvalidFile
from glaux.looks.finding import built_in_look, look_named, look_of, looks
from glaux.looks.look import Look, Piece
from glaux.looks.reading import read_look
from glaux.protocols.dialects import dialect_of
from glaux.protocols.uci import DIALECTS, form_in, notation_of, variant_of
from glaux.records.record import Record
from glaux.records.sgf import write_sgf
from glaux.web.looks import page_look
from tests.rules.boards import Hexagon

ROOT = Path(__file__).parents[2]
NAMES = [info.name for info in _core.registry()]


def read(text: str) -> Look:
    return read_look(text, "my.toml", built_in_look)


def test_every_game_has_a_look_and_a_page_and_nothing_else_has() -> None:
    written = {Path(file.name).stem for file in files("glaux.looks").iterdir() if file.name.endswith(".toml")}
    pages = {path.stem for path in (ROOT / "docs/games").glob("*.md")}
    assert written == set(NAMES)
    assert pages - {"README", "index"} == set(NAMES)


def test_the_docs_show_a_look_as_it_is() -> None:
    page = (ROOT / "docs/looks.md").read_text()
    shown = re.findall(r"^```toml\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)
    assert read(shown[0]) == look_named("hex")
    assert read(shown[1]).board.ground == "lines"
    keys = {one.name for part in dataclasses.fields(Look) for one in _fields(part.default)}
    assert {key for key in keys if f"`{key}`" not in page and not key.startswith("second")} == set()


def _fields(part: object) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(part) if dataclasses.is_dataclass(part) else ()


@pytest.mark.parametrize("name", NAMES)
def test_a_look_fits_its_game(name: str) -> None:
    game, look = glaux.make(name), look_named(name)
    assert look == look_of(game), "a file says its ground"
    letters = {letter for symbol in game.spec.symbols for letter in symbol if letter.isalpha()}
    own = {symbol for symbol in look.pieces if look.pieces[symbol] != Look().pieces.get(symbol)}
    if look.board.ground == "net":
        assert own == set("URFDLB")
    else:
        assert letters <= look.pieces.keys(), "no piece is shown as a mere letter"
        assert own <= letters
    if game.spec.players == 2:
        assert look.players.first and look.players.second and look.players.first != look.players.second
    shown = {symbol for row in look.thumbnail for symbol in row.split()}
    assert shown <= {*game.spec.symbols, *look.pieces, "."}
    for form in (form_in(look, dialect) for dialect in DIALECTS.values()):
        for variant in form.variants:
            usual = (game.spec.board.rows, game.spec.board.columns) == (variant.rows, variant.columns)
            there = game if usual else glaux.make(name, rows=variant.rows, columns=variant.columns)
            assert set(form.pieces) <= set(there.spec.symbols)
    if look.sgf.game:
        assert glaux.make(name, size=look.sgf.size)
    assert page_look(look, game.spec.board)["thumbnail"]


def test_numbers_and_names_of_other_programs_are_told_apart() -> None:
    numbers = [look.sgf.game for look in looks().values() if look.sgf.game]
    variants = [variant.name for look in looks().values() for variant in look.uci.variants]
    assert len(set(numbers)) == len(numbers) > 0
    assert len(set(variants)) == len(variants) > 0


@pytest.mark.parametrize("name", [name for name in NAMES if look_named(name).board.ground != "net"])
def test_all_but_passes_and_swaps_have_a_place(name: str, seed: int) -> None:
    game, rng = glaux.make(name), random.Random(seed)
    state = game.initial()
    for _ in range(60):
        if game.terminal(state):
            break
        placeless = [action for action in game.actions(state) if not game.action_cells(state, action)]
        assert {game.action_text(state, action) for action in placeless} <= {"pass", "swap"}
        state = game.apply(state, rng.choice(game.actions(state)))


# Files


def test_an_empty_file_is_the_plain_look() -> None:
    assert read("") == Look()


def test_a_look_may_be_like_another() -> None:
    like = read('like = "hex"\n[board]\nflip = "seat"\n')
    assert like == dataclasses.replace(
        look_named("hex"), board=dataclasses.replace(look_named("hex").board, flip="seat")
    )


def test_what_is_said_of_a_piece_adds_to_the_convention() -> None:
    pieces = read('[pieces]\nX = { mark = "crown" }\nk = { owner = "second", glyph = "♚" }').pieces
    assert pieces["X"] == Piece(owner="first", mark="crown")
    assert pieces["k"] == Piece(owner="second", glyph="♚")
    assert pieces["O"] == Look().pieces["O"]


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("board", "my.toml is not TOML: "),
        ("bord = 1", "my.toml has no setting 'bord': did you mean 'board'?"),
        ("board = 1", "my.toml: board must be a table, not 1."),
        ('[board]\ngrond = "felt"', "my.toml: board has no setting 'grond': did you mean 'ground'?"),
        ('[board]\nground = "sand"', "my.toml: board: ground must be one of squares, felt, lines, "),
        ("[board]\nground = 3", "my.toml: board: ground must be a text, not 3."),
        ("[board]\nedges = 1", "my.toml: board: edges must be true or false, not 1."),
        ("[board]\nriver = -1", "my.toml: board: river must be a whole number of at least 0, not -1."),
        ("[board]\nriver = true", "my.toml: board: river must be a whole number of at least 0, not True."),
        ("[board]\nmarks = 3", "my.toml: board: marks must be a list, not 3."),
        ('[board]\nmarks = [{ cells = "c3" }]', "my.toml: board: marks: cells must be a list, not 'c3'."),
        ('[colours]\nfirst = "red"', "my.toml: colours: first must be a colour such as #d9473f, not 'red'."),
        ('[pieces]\nX = "crown"', "my.toml: pieces.X must be a table, not 'crown'."),
        ('[pieces]\nX = { glyph = "XX" }', "my.toml: pieces.X: glyph must be one narrow character, "),
        ('[pieces]\nX = { glyph = "帥" }', "my.toml: pieces.X: glyph must be one narrow character, "),
        ('like = "chess"', "my.toml: like must be the name of a built-in game, not 'chess'."),
        (
            '[pieces]\nX = { onwer = "first" }',
            "my.toml: pieces.X has no setting 'onwer': did you mean 'owner'?",
        ),
        ("[gtp]\nwords = { swap = 1 }", "my.toml: gtp: words.swap must be a text, not 1."),
        ("[gtp]\nfirst = 'red'", "my.toml: gtp: first must be one of black, white, not 'red'."),
        ("like = 1", "my.toml: like must be a text, not 1."),
        ("thumbnail = [1]", "my.toml: thumbnail must be a text, not 1."),
    ],
)
def test_a_mistake_is_one_sentence_with_file_and_key(text: str, sentence: str) -> None:
    with pytest.raises(InvalidFile) as caught:
        read(text)
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


GAME = """
import numpy as np
import glaux

class Own(glaux.Rules):
    state = [("board", np.int8, (3, 3))]
    action_count, max_plies = 9, 9
    {look}
    def first_player(self, s): return np.count_nonzero(s["board"]) % 2 == 0
    def actions(self, s): return np.flatnonzero(s["board"] == 0)
    def apply(self, s, action): s["board"].flat[action] = 1 + np.count_nonzero(s["board"]) % 2
    def outcome(self, s): return 0 if s["board"].all() else None
    def cells(self, s): return s["board"]
"""


def test_rules_in_python_may_name_a_look(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(GAME.format(look='look = "own.toml"'))
    game = glaux.make(f"{file}:Own")
    with pytest.raises(InvalidFile, match="The look file '"):
        look_of(game)
    (tmp_path / "own.toml").write_text(
        '[board]\nground = "felt"\nmarks = [{ shape = "trap", cells = ["b2", "z9"] }]'
    )
    look = look_of(game)
    assert look.board.ground == "felt"
    shown = page_look(look, game.spec.board)["board"]["marks"]
    assert shown == [{"shape": "trap", "cells": [4]}], "cells that the board lacks are left out"


def test_a_game_of_a_user_is_spoken_of_as_its_look_says(tmp_path: Path) -> None:
    (tmp_path / "spoken.py").write_text(GAME.format(look='look = "spoken.toml"'))
    (tmp_path / "spoken.toml").write_text(
        "[gtp]\ncapitals = true\n[sgf]\ngame = 99\n"
        '[uci]\nvariants = [{ name = "own", rows = 3, columns = 3 }]\npieces = { X = "K", O = "k" }\n'
    )
    game = glaux.make(str(tmp_path / "spoken.py"))
    state = game.play("b2 a1")
    assert dialect_of(game).write(state, game.parse_action(state, "c3")) == "C3"
    assert (variant_of(game), notation_of(game).write_position(state)) == ("own", "k2/1K1/3 w - - 0 1")
    record = Record(game.initial(), ("", ""))
    record.play(game.parse_action(game.initial(), "b2"))
    assert b"GM[99]" in write_sgf(record) and b";B[b2]" in write_sgf(record)


def test_a_look_that_is_no_file_name() -> None:
    rules = type("Odd", (Hexagon,), {"look": 3})
    with pytest.raises(BrokenRules, match=r"Odd\.look must be a file name, not 3"):
        look_of(glaux.make(rules))


def test_a_game_without_a_look_has_a_plain_one(tmp_path: Path) -> None:
    file = tmp_path / "plain.py"
    file.write_text(GAME.format(look=""))
    look = look_of(glaux.make(str(file)))
    assert (look.board.ground, look.pieces) == ("squares", Look().pieces)


# Nobody else knows games by name


ALLOWED = {
    "src/glaux/bench": "which games a benchmark measures by default is what it is about",
    "src/glaux/values/networks/presets.py": "networks of the papers are named after the games they were for",
    "src/glaux/soak": "the games that a soak plays",
    "src/glaux/engine/aei.py": "go is a command of the protocol",
    "src/glaux/engine/hub.py": "go is a command of the protocol",
    "src/glaux/engine/uci.py": "go is a command of the protocol",
    "src/glaux/players/aei.py": "go is a command of the protocol",
    "src/glaux/engine/nboard.py": "go is a command of the protocol",
    "src/glaux/players/nboard.py": "go is a command of the protocol",
    "src/glaux/cli/players.py": "an example",
    "src/glaux/cli/bench.py": "the games that a benchmark measures by default",
}


EXAMPLE = re.compile(r"glaux train |<code>|DEFAULT_GAME = ")
"""what people are shown to type, and the game that the page opens with"""


def strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The texts of a program that are not prose: without the docstrings and whatever has a space."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
            yield node.lineno, node.value


def test_no_program_in_python_knows_a_game_by_its_name() -> None:
    found = []
    for path in sorted((ROOT / "src/glaux").rglob("*.py")):
        relative = path.relative_to(ROOT).as_posix()
        if any(relative.startswith(prefix) for prefix in ALLOWED):
            continue
        for line, text in strings(ast.parse(path.read_text())):
            if text.partition(":")[0] in NAMES:
                found.append(f"{relative}:{line}: {text}")
    assert not found


@pytest.mark.parametrize("folder, kinds", [("web/src", "ts css html"), ("cpp", "h cpp")])
def test_neither_the_page_nor_the_core_knows_a_game_by_its_name(folder: str, kinds: str) -> None:
    # A name that is a word of English too is one only in quotes.
    words = [name if name != "go" else f"[\"']{name}[\"']" for name in NAMES]
    names = re.compile(r"(?<![\w-])(?:" + "|".join(words) + r")(?![\w-]|\.h)|rubik[23]")
    found = []
    for path in sorted((ROOT / folder).rglob("*.*")):
        relative = path.relative_to(ROOT).as_posix()
        if path.suffix[1:] not in kinds.split() or relative.startswith(("cpp/games/", "cpp/tests/")):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code = line.partition("//")[0] if path.suffix != ".html" else line
            if names.search(code) and not EXAMPLE.search(code):
                found.append(f"{relative}:{number}: {line.strip()}")
    assert not found
