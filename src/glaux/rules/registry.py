"""The games there are, by name, and what a GAME text means.

A GAME is a name with parameters, ``hex:size=7,swap=false``; the built-in names come from the native
registry, others are added by :func:`register`. ``path/to/file.py:ClassName`` names rules in a Python
file, and ``open_spiel:game=...`` any fitting game of OpenSpiel.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from glaux import _core
from glaux.errors import GlauxError, InvalidParameter, UnknownName, suggest
from glaux.rules.adapter import native_game
from glaux.rules.game import Game
from glaux.rules.python import Rules
from glaux.texts import parse_settings

_added: dict[str, type[Rules]] = {}


def games() -> list[str]:
    """The names of the games: the built-in ones, then those added by ``register``."""
    return [info.name for info in _core.registry()] + list(_added)


def register(rules: type[Rules]) -> type[Rules]:
    """Add a game written in Python under its name. Can be used as a decorator."""
    name = rules.registry_name()
    if name in games() and _added.get(name) is not rules:
        raise InvalidParameter(f"There is a game '{name}' already: choose another name.")
    _added[name] = rules
    return rules


def make(game: str | type[Rules], /, **parameters: Any) -> Game:
    """Make a game: ``make("hex", size=7)``, ``make("hex:size=7")`` or ``make(MyRules)``."""
    if not isinstance(game, str):
        return from_rules(game, parameters)
    name, settings = parse_game(game)
    settings.update(parameters)
    return make_named(name, settings)


def make_named(name: str, parameters: Mapping[str, Any]) -> Game:
    """The game of this name; UnknownName or InvalidParameter with a sentence otherwise."""
    if ".py" in name:
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
    # What only changes the planes is left out where it is as usual: it is no part of what a game is.
    usual = {p.name: p.default_value for p in known.values() if p.encoding}
    values = {k: v for k, v in native.spec.parameters.items() if k not in usual or v != usual[k]}
    return Game(native, make_named, name, values, starts, {k: v for k, v in values.items() if k in usual})


def from_rules(rules: type[Rules], parameters: Mapping[str, Any]) -> Game:
    """A game from a class of rules written in Python."""
    if not (isinstance(rules, type) and issubclass(rules, Rules)):
        raise InvalidParameter(f"A game is made from a subclass of glaux.Rules, not from {rules!r}.")
    return _python_game(rules, parameters, from_rules, rules)


def _python_game(
    rules: type[Rules], parameters: Mapping[str, Any], remake: Callable[..., Game], source: object
) -> Game:
    settings = dict(parameters)
    mobility = _flag("mobility", settings.pop("mobility", False))
    known = inspect.signature(rules).parameters
    for key in settings:
        if key not in known:
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
    return name, parse_settings(rest, f"A game is written as name:key=value,key=value, not '{text}'.")


def _native_game(info: _core.GameInfo, settings: dict[str, Any]) -> _core.Game:
    mobility = _flag("mobility", settings.pop("mobility", False))
    parameters = {p.name: p for p in info.parameters}
    values = {}
    for key, value in settings.items():
        if key not in parameters:
            hint = suggest(key, [*parameters, "mobility"])
            raise InvalidParameter(f"{info.title} has no parameter '{key}'{hint}")
        values[key] = _flag(key, value) if parameters[key].flag else _integer(key, value)
    native = _core.make_game(info.name, values)
    return _core.with_mobility(native) if mobility else native


def _integer(key: str, value: Any) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError):
        raise InvalidParameter(f"The parameter {key} must be a whole number, not '{value}'.") from None
    if (isinstance(value, float) and number != value) or abs(number) >= 2**31:
        raise InvalidParameter(f"The parameter {key} must be a whole number, not '{value}'.")
    return number


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
        raise UnknownName(f"There is no file '{file_name}' to take a game from.")
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
            f"'{file_name}' has {len(found)} subclasses of glaux.Rules: "
            f"name one of them, as in {file_name}:ClassName."
        )
    return found[class_name or next(iter(found))]
