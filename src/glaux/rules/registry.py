"""The games there are, by name, and what a GAME text means.

A GAME is a name with parameters, ``hex:size=7,swap=false``; the built-in names come from the native
registry, others are added by :func:`register`. ``path/to/file.py:ClassName`` names rules in a Python
file, and ``open_spiel:game=...`` any fitting game of OpenSpiel.

Whoever types such a text wants that code to run. A text that stands in a file may be a stranger's: it is
made by :func:`make_foreign`, which runs no code that the file names.
"""

from __future__ import annotations

import importlib.util
import inspect
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from glaux import _core
from glaux.errors import GlauxError, InvalidParameter, UnknownName, Untrusted, suggest
from glaux.rules.adapter import native_game
from glaux.rules.game import Game, written
from glaux.rules.python import Rules
from glaux.texts import parse_settings

FILE = ".py"
"""what the name of a game has in it if it is that of a file with rules"""

_added: dict[str, type[Rules]] = {}


def games() -> list[str]:
    """The names of the games: the built-in ones, then those added by ``register``."""
    return [info.name for info in _core.registry()] + list(_added)


def register(rules: type[Rules]) -> type[Rules]:
    """Add a game written in Python under its name. Can be used as a decorator."""
    name = rules.registry_name()
    if name in games() and _added.get(name) is not rules:
        raise InvalidParameter(f"There is already a game '{name}': choose another name.")
    _added[name] = rules
    return rules


def make(game: str | type[Rules], /, **parameters: Any) -> Game:
    """Make a game: ``make("hex", size=7)``, ``make("hex:size=7")`` or ``make(MyRules)``."""
    if not isinstance(game, str):
        return from_rules(game, parameters)
    name, settings = parse_game(game)
    settings.update(parameters)
    return make_named(name, settings)


# Texts of files


def runs_code(text: str) -> bool:
    """Whether making the game of this text runs code, or reads a file, that the text names."""
    try:
        name, settings = parse_game(text)
    except InvalidParameter:
        return False  # no game is made of it either
    return FILE in name or (name == "open_spiel" and "file" in settings.get("game", ""))


def make_foreign(text: str, how: str) -> Game:
    """The game that a file names; Untrusted if that would run code, UnknownName and the like otherwise.

    ``how`` ends the sentence: what the user types to name the game, with {} for its text.
    """
    if runs_code(text):
        typed = how.format(shlex.quote(text))
        raise Untrusted(f"its rules are a Python file, which Glaux runs only if you name it: {typed}")
    return make(text)


def is_named(game: Game, text: str) -> bool:
    """Whether the text of a file means this game, but for its start, its count of mobility and its planes.

    No code is run to find out. Rules in a Python file are the same if the file has the same name, wherever it
    is now, and the class and its parameters are the same.
    """
    if game.rules_text == text:
        return True
    if not runs_code(text):
        try:
            return game.same_rules(make(text))
        except GlauxError:
            return False
    return game.adapter is not None and _python_names(game.rules_text, game) == _python_names(text, game)


def _python_names(text: str, game: Game) -> tuple[str, str, dict[str, str]]:
    """The file, the class and the parameters of rules in Python."""
    assert game.adapter is not None
    try:
        name, settings = parse_game(text)
    except InvalidParameter:
        name, settings = text, {}
    file_name, _, class_name = name.partition(":")
    settings.pop("mobility", None)
    return Path(file_name).name, class_name or game.adapter.class_name, settings


# Making


def make_named(name: str, parameters: Mapping[str, Any]) -> Game:
    """The game of this name; UnknownName or InvalidParameter with a sentence otherwise."""
    if FILE in name:
        return _python_game(_load_rules(name), parameters, make_named, name)
    if name == "open_spiel":
        from glaux.rules.open_spiel import OpenSpielRules  # noqa: PLC0415 (an optional dependency)

        return _python_game(OpenSpielRules, parameters, make_named, name)
    if name in _added:
        return _python_game(_added[name], parameters, make_named, name)
    infos = {info.name: info for info in _core.registry()}
    if name not in infos:
        raise UnknownName(f"There is no game '{name}'{suggest(name, games())}")
    native = _native_game(infos[name], dict(parameters))
    known = {p.name: p for p in infos[name].parameters}
    starts = [p.name for p in known.values() if p.start]
    # What only changes the planes is left out where it is as usual: it is not part of what a game is.
    usual = {p.name: written(p, p.default_value) for p in known.values() if p.encoding}
    values = {k: written(known[k], v) if k in known else v for k, v in native.spec.parameters.items()}
    values = {k: v for k, v in values.items() if k not in usual or v != usual[k]}
    return Game(native, make_named, name, values, starts, {k: v for k, v in values.items() if k in usual})


def from_rules(rules: type[Rules], parameters: Mapping[str, Any]) -> Game:
    """A game from a class of rules written in Python."""
    if not (isinstance(rules, type) and issubclass(rules, Rules)):
        raise InvalidParameter(f"A game must be made from a subclass of glaux.Rules, not from {rules!r}.")
    return _python_game(rules, parameters, from_rules, rules)


def _python_game(
    rules: type[Rules], parameters: Mapping[str, Any], remake: Callable[..., Game], source: object
) -> Game:
    settings = dict(parameters)
    mobility = _flag("mobility", settings.pop("mobility", False))
    taken = inspect.signature(rules).parameters
    known = {key: one for key, one in taken.items() if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)}
    anything = any(one.kind is one.VAR_KEYWORD for one in taken.values())
    for key in settings:
        if key not in known and not anything:
            hint = suggest(key, [*known, "mobility"])
            raise InvalidParameter(f"{rules.__name__} has no parameter '{key}'{hint}")
    for key, parameter in known.items():
        if parameter.default is parameter.empty and key not in settings:
            raise InvalidParameter(f"{rules.__name__} needs a value for its parameter '{key}'.")
    native, adapter = native_game(rules(**settings))
    game = Game(
        _core.with_mobility(native) if mobility else native,
        remake,
        source,
        settings | {"mobility": 1} if mobility else settings,
    )
    game.adapter = adapter
    return game


def parse_game(text: str) -> tuple[str, dict[str, str]]:
    """The name and the parameters of a GAME text."""
    name, _, rest = text.strip().partition(":")
    if name.endswith(".py") and "=" not in rest.partition(":")[0]:
        class_name, _, rest = rest.partition(":")
        name = f"{name}:{class_name}".rstrip(":")
    return name, parse_settings(rest, f"Write a game as name:key=value,key=value, not '{text}'.")


def _native_game(info: _core.GameInfo, settings: dict[str, Any]) -> _core.Game:
    mobility = _flag("mobility", settings.pop("mobility", False))
    parameters = {p.name: p for p in info.parameters}
    values = {}
    for key, value in settings.items():
        if key not in parameters:
            hint = suggest(key, [*parameters, "mobility"])
            raise InvalidParameter(f"{info.title} has no parameter '{key}'{hint}")
        if parameters[key].flag:
            values[key] = _flag(key, value)
        elif parameters[key].scale > 1:
            values[key] = _halves(key, value)
        else:
            values[key] = _integer(key, value)
    native = _core.make_game(info.name, values)
    return _core.with_mobility(native) if mobility else native


def _integer(key: str, value: Any) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        raise InvalidParameter(f"The parameter {key} must be a whole number, not '{value}'.") from None
    if (isinstance(value, float) and number != value) or abs(number) >= 2**31:
        raise InvalidParameter(f"The parameter {key} must be a whole number, not '{value}'.")
    return number


def _halves(key: str, value: Any) -> int:
    try:
        number = 2 * float(value)
    except (TypeError, ValueError, OverflowError):
        number = 0.5
    if not number.is_integer() or abs(number) >= 2**31:
        raise InvalidParameter(f"The parameter {key} must be a multiple of 0.5, not '{value}'.")
    return int(number)


def _flag(key: str, value: Any) -> int:
    flags = {"true": 1, "on": 1, "yes": 1, "1": 1, "false": 0, "off": 0, "no": 0, "0": 0}
    try:
        return flags[str(value).lower()]
    except KeyError:
        raise InvalidParameter(f"The parameter {key} must be true or false, not '{value}'.") from None


def _load_rules(name: str) -> type[Rules]:
    """The rules in ``file.py`` or ``file.py:ClassName``."""
    file_name, _, class_name = name.partition(":")
    path = Path(file_name)
    if not path.is_file():
        raise UnknownName(f"There is no file '{file_name}'.")
    module_name = f"glaux_user_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise GlauxError(f"'{file_name}' can't be loaded: {type(error).__name__}: {error}") from error
    found = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Rules) and value.__module__ == module_name
    }
    if class_name and class_name not in found:
        raise UnknownName(f"'{file_name}' has no rules '{class_name}'{suggest(class_name, list(found))}")
    if not class_name and len(found) != 1:
        raise UnknownName(
            f"'{file_name}' has {len(found)} subclasses of glaux.Rules: name one, as in "
            f"{file_name}:ClassName."
        )
    return found[class_name or next(iter(found))]
