"""How the TOML of an experiment is read, and what must fit together in it.

Every mistake is one sentence that names the place and, for a name, the nearest known one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from glaux.arena.comparison import MEASURES
from glaux.errors import InvalidFile, InvalidParameter, suggest
from glaux.experiments.spec import Claim, Combination, Experiment, Play, Scale, rows_of
from glaux.fields import check_keys, check_types, kind_of

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
PLACEHOLDERS = ("value", "agent", "limit")
KEYS = ("title", "source", "about", "preset", "set", "combination", "play", "claim", "published", "scale")
PARTS = {"combination": Combination, "play": Play}
CHOICES = {
    "stages": ("final", "all"),
    "repetitions": ("all", "same"),
    "rows": ("combinations", "players", "both"),
    "measure": tuple(MEASURES),
}


def read_experiment(text: str, name: str) -> Experiment:
    """The experiment of a TOML text; InvalidFile with one sentence if it is not valid."""
    try:
        table = tomllib.loads(text)
        return _read(table)
    except (tomllib.TOMLDecodeError, InvalidParameter) as error:
        raise InvalidFile(f"'{name}' is not an experiment file: {error}") from None


def _read(table: Mapping[str, Any]) -> Experiment:
    check_keys(table, KEYS, "An experiment")
    texts = {key: _text(table, key) for key in ("title", "source", "about", "preset")}
    if not texts["title"]:
        raise InvalidParameter("An experiment needs a title.")
    scales, changes = _scales(_table(table, "scale"))
    experiment = Experiment(
        **texts,
        set=_tuple(table.get("set", []), str, "set"),
        combinations=tuple(_parts(Combination, table.get("combination", []), "combination")),
        plays=tuple(_parts(Play, table.get("play", []), "play")),
        claims=tuple(_checked_parts(Claim, table.get("claim", []), "claim")),
        published=_published(_table(table, "published")),
        scales=scales,
        changes=changes,
    )
    _check(experiment)
    return experiment


def at_scale(experiment: Experiment, name: str) -> Experiment:
    """The same with what a scale changes of combinations and plays."""
    changed = experiment.changes[name]
    return replace(
        experiment,
        combinations=tuple(_changed(one, changed, "combination") for one in experiment.combinations),
        plays=tuple(_changed(one, changed, "play") for one in experiment.plays),
    )


def _changed(one: Any, changes: Mapping[str, Mapping[str, Any]], kind: str) -> Any:
    table = changes.get(f"{kind} {one.name}", {})
    read = _values(type(one), table, f"[scale...{kind}.{one.name}]")
    if "set" in read:
        read["set"] = one.set + read["set"]
    return _checked(replace(one, **read), f"The {kind} {one.name}")


def _table(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = table.get(key, {})
    if not isinstance(found, Mapping):
        raise InvalidParameter(f"[{key}] must be a table.")
    return found


def _text(table: Mapping[str, Any], key: str) -> str:
    found = table.get(key, "")
    if not isinstance(found, str):
        raise InvalidParameter(f"The experiment's {key} must be a text, not {found!r}.")
    return found.strip()


def _tuple(found: Any, kind: type[Any], what: str) -> tuple[Any, ...]:
    if not isinstance(found, list) or any(type(one) is not kind for one in found):
        words = "texts" if kind is str else "whole numbers"
        raise InvalidParameter(f"The setting {what} must be a list of {words}, not {found!r}.")
    return tuple(found)


def _values(cls: type[DataclassInstance], table: object, what: str) -> dict[str, Any]:
    """The fields of a table; lists become tuples, and tables of texts pairs."""
    if not isinstance(table, Mapping):
        raise InvalidParameter(f"{what} must be a table of settings, not {table!r}.")
    known = {f.name: f for f in fields(cls)}
    check_keys(table, list(known), what)
    values = dict(table)
    for name, value in table.items():
        if kind_of(known[name]) is not tuple:
            continue
        if str(known[name].type).startswith("Named"):
            if not isinstance(value, Mapping) or any(type(text) is not str for text in value.values()):
                raise InvalidParameter(f"{what}'s {name} must be a table of texts, not {value!r}.")
            values[name] = tuple(value.items())
        else:
            values[name] = _tuple(value, int if name == "twists" else str, name)
    return values


def _make(cls: type[T], table: object, what: str) -> T:
    return _checked(cls(**_values(cls, table, what)), what)


def _checked(one: T, what: str) -> T:
    check_types(one, what)
    for f in fields(one):
        choices = CHOICES.get(f.name, ()) if isinstance(one, Play) else ()
        value = getattr(one, f.name)
        if choices and value not in choices:
            raise InvalidParameter(f"{what} has no {f.name} '{value}'{suggest(str(value), choices)}")
    if isinstance(one, Scale):
        _check_scale(one, what)
    return one


def _check_scale(scale: Scale, what: str) -> None:
    if not scale.games:
        raise InvalidParameter(f"{what} has no games.")
    if bool(scale.minutes) == bool(scale.matches):
        raise InvalidParameter(f"{what} must limit its training runs by either minutes or matches.")


def _checked_parts(cls: type[T], tables: Any, key: str) -> list[T]:
    if not isinstance(tables, list):
        raise InvalidParameter(f"Write [[{key}]] in double brackets, one for each.")
    return [_make(cls, table, f"[[{key}]]") for table in tables]


def _parts(cls: type[T], tables: Any, key: str) -> list[T]:
    found = _checked_parts(cls, tables, key)
    if not found:
        raise InvalidParameter(f"An experiment needs at least one [[{key}]].")
    names = [str(getattr(one, "name", "")) for one in found]
    for name in names:
        if not NAME.fullmatch(name):
            raise InvalidParameter(
                f"The name of a {key} may have letters, digits, '-', '_' and '.', not '{name}'."
            )
        if names.count(name) > 1:
            raise InvalidParameter(f"The {key} {name} appears twice.")
    return found


def _scales(
    tables: Mapping[str, Any],
) -> tuple[dict[str, Scale], dict[str, dict[str, Mapping[str, Any]]]]:
    if not tables:
        raise InvalidParameter("An experiment needs at least one [scale.NAME].")
    scales, changes = {}, {}
    for name, table in tables.items():
        what = f"[scale.{name}]"
        if not isinstance(table, Mapping):
            raise InvalidParameter(f"{what} must be a table of settings, not {table!r}.")
        own = {key: value for key, value in table.items() if key not in PARTS}
        scales[name] = _make(Scale, own, what)
        changes[name] = {
            f"{kind} {part}": change for kind in PARTS for part, change in _table(table, kind).items()
        }
    return scales, changes


def _published(table: Mapping[str, Any]) -> dict[str, dict[str, dict[str, float]]]:
    found: dict[str, dict[str, dict[str, float]]] = {}
    for play, games in table.items():
        for game, rows in _table(table, play).items():
            numbers = _table(games, game)
            if any(type(number) not in (int, float) for number in numbers.values()):
                raise InvalidParameter(f"[published.{play}.{game}] must have percentages only.")
            found.setdefault(play, {})[game] = {row: float(number) for row, number in rows.items()}
    return found


# What must fit together


def _check(experiment: Experiment) -> None:
    names = [one.name for one in experiment.combinations]
    plays = {play.name: play for play in experiment.plays}
    for name in experiment.scales:
        for key in experiment.changes[name]:
            kind, _, part = key.partition(" ")
            known = names if kind == "combination" else list(plays)
            _check_known(part, known, f"[scale.{name}] changes a {kind}, but there is none called")
        scaled = at_scale(experiment, name)
        for play in scaled.plays:
            _check_play(play, names)
    for play_name, games in experiment.published.items():
        _check_known(play_name, list(plays), "[published] is about a play, but there is none called")
        rows = list(rows_of(plays[play_name], experiment.combinations))
        for numbers in games.values():
            for row in numbers:
                _check_known(row, rows, f"[published.{play_name}] has a row that the play has not:")
    for claim in experiment.claims:
        _check_claim(claim, plays, experiment)


def _check_known(name: str, known: Sequence[str], what: str) -> None:
    if name not in known:
        raise InvalidParameter(f"{what} '{name}'{suggest(name, known)}")


def _check_play(play: Play, combinations: list[str]) -> None:
    what = f"The play {play.name}"
    if not play.players:
        raise InvalidParameter(f"{what} has no players.")
    for name in play.combinations:
        _check_known(name, combinations, f"{what} is about combinations, but there is none called")
    if play.against and play.opponents:
        raise InvalidParameter(f"{what} can have opponents or others to play against, not both.")
    for name, text in (*play.players, *play.against, *play.opponents):
        for placeholder in re.findall(r"\{(.*?)\}", text):
            _check_known(placeholder, PLACEHOLDERS, f"The player {name} of {what} has a place for")
        if "{value}" in text and (name, text) in play.opponents:
            raise InvalidParameter(
                f"The opponent {name} of {what} has no value of its own: write the value out."
            )
        if not NAME.fullmatch(name):
            raise InvalidParameter(
                f"The name of a player may have letters, digits, '-', '_' and '.', not '{name}'."
            )
    if any(twists < 0 for twists in play.twists):
        raise InvalidParameter(f"{what} can't have a negative number of twists.")


def _check_claim(claim: Claim, plays: Mapping[str, Play], experiment: Experiment) -> None:
    if not claim.text:
        raise InvalidParameter("A [[claim]] needs a text.")
    _check_known(claim.play, list(plays), "A claim is about a play, but there is none called")
    play = plays[claim.play]
    rows = list(rows_of(play, experiment.combinations))
    for row in (claim.better, *claim.alike) if claim.better else claim.alike:
        _check_known(row, rows, f"The play {play.name} has no row")
    for row in claim.than:
        _check_known(row, [*rows, *dict(play.opponents)], f"The play {play.name} has no row")
    if bool(claim.better and claim.than) == (len(claim.alike) == 2):
        raise InvalidParameter(
            f"The claim '{claim.text}' must say what is better than what, or which are alike."
        )
