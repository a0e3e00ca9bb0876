"""The look of a game: from the folder of this package, from a file of its author's, or by its board.

A built-in game NAME has ``NAME.toml`` here. Rules in Python may name a file beside their own:
``look = "my_game.toml"``. A game without either, such as one of OpenSpiel's, has a plain look.
"""

from __future__ import annotations

import dataclasses
import inspect
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from glaux import _core
from glaux.errors import BrokenRules, InvalidFile
from glaux.looks.look import Look
from glaux.looks.reading import read_look
from glaux.rules.game import Game
from glaux.rules.python import Rules


def look_of(game: Game) -> Look:
    """How a game looks and is spoken of; InvalidFile if its file is wrong.

    The ground is always said: without a file, squares or hexagons as the board has them.
    """
    look = look_named(game.spec.name) if game.adapter is None else _look_of_rules(game.adapter.rules)
    if look.board.ground:
        return look
    hexagonal = game.spec.board.shape == _core.Shape.hexagonal
    board = dataclasses.replace(look.board, ground="hexagons" if hexagonal else "squares")
    return dataclasses.replace(look, board=board)


def look_named(name: str) -> Look:
    """The look of a built-in game; of any other name, the plain one."""
    return built_in_look(name) or Look()


@lru_cache(maxsize=64)
def built_in_look(name: str) -> Look | None:
    """The look of a built-in game; None of any other name."""
    file = files("glaux.looks") / f"{name}.toml"
    if name not in {info.name for info in _core.registry()} or not file.is_file():
        return None
    return read_look(file.read_text("utf-8"), file.name, built_in_look)


def codes_of(game: Game, owner: str) -> list[int]:
    """The codes of cells on which a piece of the first or the second player stands."""
    pieces = look_of(game).pieces
    return [
        code
        for code, symbol in enumerate(game.spec.symbols)
        if symbol in pieces and pieces[symbol].owner == owner
    ]


def looks() -> dict[str, Look]:
    """The looks of all the built-in games, by name."""
    return {info.name: look_named(info.name) for info in _core.registry()}


def _look_of_rules(rules: Rules) -> Look:
    if rules.look is None:
        return Look()
    if not isinstance(rules.look, str):
        raise BrokenRules(f"{type(rules).__name__}.look must be a file name, not {rules.look!r}.")
    try:
        folder = Path(inspect.getfile(type(rules))).parent
    except (TypeError, OSError):  # a class of a notebook or of the prompt
        folder = Path()
    return _look_in(folder / rules.look)


@lru_cache(maxsize=64)
def _look_in(file: Path) -> Look:
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise InvalidFile(f"The look file '{file}' can't be read.") from None
    return read_look(text, str(file), built_in_look)
