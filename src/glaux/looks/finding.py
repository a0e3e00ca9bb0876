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
from glaux.errors import InvalidFile
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


@lru_cache(maxsize=64)
def look_named(name: str) -> Look:
    """The look of a built-in game; of any other name, the plain one."""
    file = files("glaux.looks") / f"{name}.toml"
    return read_look(file.read_text("utf-8"), file.name, look_named) if file.is_file() else Look()


def looks() -> dict[str, Look]:
    """The looks of all the built-in games, by name."""
    return {info.name: look_named(info.name) for info in _core.registry()}


def _look_of_rules(rules: Rules) -> Look:
    if rules.look is None:
        return Look()
    return _look_in(Path(inspect.getfile(type(rules))).parent / rules.look)


@lru_cache(maxsize=64)
def _look_in(file: Path) -> Look:
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise InvalidFile(f"There is no look to read in '{file}'.") from None
    return read_look(text, str(file), look_named)
