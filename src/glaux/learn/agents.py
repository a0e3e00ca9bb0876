"""From a run to an agent in the box: its value function packed, and the card that tells of it.

The weights get as few bits as leave the values about what they were, and fewer only if the agent would be too
large. n-tuple networks need more than pattern networks: many weights are summed, and a few of them are
large. The card says how the run was trained as the shortest ``glaux train`` command that gives its settings,
and what packing has changed.
"""

from __future__ import annotations

import math
import platform
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from json import dumps
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from glaux.directories import replace_file
from glaux.errors import GlauxError, InvalidFile, InvalidParameter
from glaux.foreign import read_json
from glaux.learn.config import Config, value_text
from glaux.learn.preset import configure, presets
from glaux.learn.registry import change_config
from glaux.learn.run import Run
from glaux.machine import cores
from glaux.players.registry import search_of
from glaux.players.settings import read_settings
from glaux.rules.game import Game
from glaux.rules.registry import is_named, make
from glaux.search.registry import SEARCHES
from glaux.values.calibration import random_positions
from glaux.values.loading import load
from glaux.values.packing import BITS
from glaux.values.value import ValueFunction
from glaux.values.zoo import CARD, MOST, MOST_IN_ALL, WORD, Card, Match, agent_folder, folder, read_card
from glaux.words import plural

POSITIONS = 2000
"""random ones on which the packed values are compared"""
USUAL = (12, 14, 16)
"""bits of an agent's weights: the first with which its values change little"""
LITTLE = 0.001
"""the mean change of values by packing that is taken, as a share of the largest value"""
CARD_ROOM = 20_000
"""bytes of an agent that are left to its card"""


class Packed(NamedTuple):
    """How a value function was packed, and what that has changed; see the card."""

    bits: int
    error: float
    error_most: float


class Recipe(NamedTuple):
    """What reproduces the settings of a training run."""

    preset: str
    settings: list[str]
    """as --set takes them"""


def add_agent(
    run: Run, *, measured: Sequence[Path] = (), search: str | None = None, commit: str | None = None
) -> Card:
    """Put the agent that a run has trained into the box, in the place of the one that its game has there.

    ``measured`` are files of ``glaux match --json`` whose first player is the agent. InvalidParameter if the
    game is not as it is if nothing is set, or if no number of bits makes the agent small enough.
    """
    value, config = run.value(), run.config
    game = value.game
    if not game.same_rules(make(game.name)):
        raise InvalidParameter(
            f"Agents play with default parameters only, {make(game.name).rules_text}, but this run is of "
            f"{game.rules_text}."
        )
    matches = [read_match(path, game) for path in measured]
    if search is None:
        search = search_of(run.path)
    elif search not in SEARCHES:
        raise InvalidParameter(f"There is no search '{search}': there are {', '.join(SEARCHES)}.")
    place = folder() / game.name
    beside = place.with_name(f".{game.name}")
    shutil.rmtree(beside, ignore_errors=True)
    try:
        packed = _pack(value, beside)
        card = replace(_card(value, config), search=search, measured=matches, **packed._asdict())
        _write_card(beside, replace(card, commit=_commit() if commit is None else commit))
        others = sum(_bytes(other) for other in folder().glob("[!.]*") if other != place and other.is_dir())
        if others + _bytes(beside) > MOST_IN_ALL:
            raise InvalidParameter(f"All agents together would exceed {MOST_IN_ALL:,} bytes.")
        shutil.rmtree(place, ignore_errors=True)
        beside.rename(place)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return read_card(game.name)


def add_matches(name: str, measured: Sequence[Path]) -> Card:
    """Write matches on the card of an agent; one against the same opponent is replaced."""
    card, game = read_card(name), make(name)
    kept = {(match.player, match.opponent): match for match in card.measured}
    for match in (read_match(path, game) for path in measured):
        kept[match.player, match.opponent] = match
    _write_card(agent_folder(name), replace(card, measured=list(kept.values())))
    return read_card(name)


def read_match(path: Path, game: Game) -> Match:
    """The match of a file that ``glaux match --json`` has printed; its first player is the agent."""
    try:
        told = read_json(path, links=True)
        first, second = (str(text) for text in told["players"])
        if not is_named(game, str(told["game"])):
            raise InvalidParameter(f"it is of {told['game']}, not of {game.rules_text}")
        numbers = {key: told[key] for key in ("games", "wins", "draws", "losses", "score", "low", "high")}
        player = as_agent(first)
        words = ["glaux", "match", game.label, player, second, "--games", str(told["games"])]
        for option in ("opening", "book", "seed"):
            words += [f"--{option}", str(told[option])] if told.get(option) else []
        return Match(player=player, opponent=second, command=shlex.join(words), **numbers)
    except (ValueError, KeyError, TypeError, GlauxError) as error:
        raise InvalidFile(f"'{path}' is not the output of glaux match --json: {error}") from None


def as_agent(text: str) -> str:
    """The PLAYER of a run, as it is when the run is in the box: ``runs/hex,seconds=1`` is zoo:seconds=1."""
    name, _, rest = text.partition(":")
    if name in SEARCHES:
        settings = read_settings(name, rest) | {"value": WORD}
        return f"{name}:" + ",".join(f"{key}={value}" for key, value in settings.items())
    if name == WORD:
        return text
    _, comma, settings_text = text.partition(",")
    return f"{WORD}:{settings_text}" if comma else WORD


def recipe(config: Config) -> Recipe | None:
    """The preset with the fewest settings besides that gives this configuration, if one does."""
    name = make(config.game).name
    found: list[Recipe] = []
    for preset in presets(name).values():
        with suppress(GlauxError):  # a preset of what is not installed here
            base = configure(name, preset)
            if (base.learner, base.value.family) != (config.learner, config.value.family):
                continue
            before = {key: value for key, value, _ in base.described()}
            settings = [
                f"{key}={value_text(value)}"
                for key, value, _ in config.described()
                if key != "game" and value != before[key]
            ]
            if change_config(base, settings).write() == config.write():
                found.append(Recipe(preset.name, settings))
    return min(found, key=lambda one: len(one.settings), default=None)


def command(game: Game, told: Recipe | None, minutes: float) -> str:
    """The training as a command, with the minutes that it was told: it ends a moment before."""
    if told is None:
        return "settings that match no preset with --set"
    given = f"{minutes:g}" if minutes < 1 else f"{math.ceil(minutes)}"
    words = ["glaux", "train", game.label, "--preset", told.preset, "--minutes", given]
    return shlex.join([*words, *(word for one in told.settings for word in ("--set", one))])


def _pack(value: ValueFunction, place: Path) -> Packed:
    """Write the value function, and say with how many bits and what that has changed."""
    states = random_positions(value.game, POSITIONS, seed=0)
    true, scale = value.evaluate(states), float(getattr(value, "scale", 1))

    def packed(bits: int) -> Packed:
        value.save_packed(place, bits)
        changes = np.abs(load(place, value.game).evaluate(states) - true) / scale
        return Packed(bits, round(float(changes.mean()), 6), round(float(changes.max()), 6))

    finest = next((bits for bits in USUAL if packed(bits).error <= LITTLE), USUAL[-1])
    for bits in (bits for bits in BITS if bits <= finest):
        found = packed(bits)
        if _bytes(place) <= MOST - CARD_ROOM:
            return found
    raise InvalidParameter(
        f"The value function takes {_bytes(place):,} bytes with {BITS[-1]}-bit weights, but an agent may "
        f"take at most {MOST:,}: train one with fewer weights."
    )


def _card(value: ValueFunction, config: Config) -> Card:
    trained: Mapping[str, Any] = next((one for one in value.history[::-1] if "training" in one), {})
    minutes, told = float(trained.get("minutes", 0)), recipe(config)
    return Card(
        game=value.game.rules_text,
        title=value.game.spec.title,
        version=version("glaux"),
        made=datetime.now(UTC).date().isoformat(),
        family=value.family,
        description=value.describe(),
        preset=told.preset if told else "",
        settings=told.settings if told else [],
        command=command(value.game, told, minutes),
        minutes=minutes,
        matches=int(trained.get("matches", 0)),
        learned=value.learned,
        machine=_machine(),
    )


def _write_card(place: Path, card: Card) -> None:
    replace_file(place / CARD, dumps(card.write(), indent=2, ensure_ascii=False).encode() + b"\n")


def _bytes(place: Path) -> int:
    return sum(file.stat().st_size for file in place.iterdir() if file.is_file())


def _commit() -> str:
    """That of the Glaux at hand, if it is a clone."""
    words = ["git", "rev-parse", "--short=10", "HEAD"]
    with suppress(OSError, subprocess.SubprocessError):
        found = subprocess.run(
            words, cwd=Path(__file__).parent, capture_output=True, text=True, check=False, timeout=10
        )
        return found.stdout.strip() if found.returncode == 0 else ""
    return ""


def _machine() -> str:
    model = platform.processor() or platform.machine()
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(
            (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model
        )
    return f"{model}, {plural(cores(), 'core')}"
