"""The players by name, and what a PLAYER text means.

A PLAYER is a name with settings: ``random``, ``mcts:iterations=1000``,
``ubfms:value=playouts,seconds=0.2``; or a protocol with the command of a program that speaks it,
``gtp:gnugo --mode gtp``. ``zoo`` is the agent of the game that ships with the package, ``zoo:level=3`` an
easier one. The directory of a run is the player that it has trained, ``runs/hex`` or
``runs/hex,seconds=1``. Every search of the registry of searches is a player. Another kind of player is
a factory and its line in ``FACTORIES``; a factory gets
the text after the colon as it is, because not all of them are written as ``key=value``.

A text that stands in a file may be a stranger's: :func:`check_foreign` says whether it may be made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from glaux.errors import GlauxError, UnknownName, Untrusted, suggest
from glaux.fields import SEEDS, setting
from glaux.foreign import read_json
from glaux.players.engine_players import ENGINES, make_engine_player
from glaux.players.player import Player
from glaux.players.random import RandomPlayer
from glaux.players.search_players import make_search_player, search_player, settings_of
from glaux.players.settings import read_all, read_settings
from glaux.rules.game import Game
from glaux.rules.registry import parse_game
from glaux.search.registry import (
    AGENT,
    ALIASES,
    EXIT_LOSSES,
    SEARCHES,
    VALUES,
    agent_for,
)
from glaux.values.zoo import WORD, agent_of, has_agent, is_agent, read_card

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

RANDOM = "random"
WRAPPER = "wrap"
"""the player that uses what temporal differences have learned"""
HEADS = ("config.json", "value.json")
"""files of which a run or a value function has one"""
Factory = Callable[[Game, str, int], Player]
"""Makes a player from the game, the text after the colon, and the seed."""


def players() -> list[str]:
    """The names of the players."""
    return list(FACTORIES)


def settings_of_player(name: str) -> list[DataclassInstance]:
    """The settings of a player, as dataclasses with their defaults."""
    if name in SEARCHES:
        return settings_of(SEARCHES[name])
    if name == WORD:
        return settings_of(SEARCHES[AGENT], WORD)
    return [ENGINES[name].settings] if name in ENGINES else [RandomSettings()]


def summary_of_player(name: str) -> str:
    """What a player is, in a line."""
    if name in SEARCHES:
        return SEARCHES[name].summary
    if name == WORD:
        return "the game's shipped agent; glaux zoo lists them"
    return ENGINES[name].summary if name in ENGINES else "a random legal action"


def make_player(text: str, game: Game, seed: int) -> Player:
    """Make the player of a PLAYER text; UnknownName or InvalidParameter with a sentence otherwise."""
    name, rest = _parsed(text)
    return FACTORIES[name](game, rest, seed)


def check_foreign(text: str, folder: Path) -> None:
    """Untrusted if the player that a file in this folder names starts a program or reads what is elsewhere.

    Players that can do neither are known by name; any other is taken for a program.
    """
    name, rest = _parsed(text)
    if name not in SEARCHES and name not in (RANDOM, WORD):
        raise Untrusted(f"the player '{text}', which is a program,")
    value = read_settings(name, rest).get("value", "") if name != RANDOM else ""
    if value and value not in VALUES and not is_agent(value) and not is_inside(Path(value), folder):
        raise Untrusted(f"the value function '{value}', which is outside of it,")


def is_inside(path: Path, folder: Path) -> bool:
    """Whether a path, with all links followed, is that of something in the folder."""
    return path.resolve().is_relative_to(folder.resolve())


def _parsed(text: str) -> tuple[str, str]:
    text = _of_directory(text.strip()) or text.strip()
    name, _, rest = text.partition(":")
    name = ALIASES.get(name, name)
    if name not in FACTORIES and "/" in name:
        raise UnknownName(f"There is no run or value function in '{name.partition(',')[0]}'.")
    if name not in FACTORIES:
        raise UnknownName(f"There is no player '{name}'{suggest(name, players())}")
    return name, rest


def _of_directory(text: str) -> str | None:
    """The PLAYER that the directory of a run or a value function stands for: ``runs/hex,seconds=1``."""
    name = text.partition(":")[0]
    if name in FACTORIES or name in ALIASES:
        return None
    path, comma, settings = text.partition(",")
    folder = Path(path)
    try:
        there = any((folder / file).is_file() for file in HEADS)
    except (OSError, ValueError):  # no text that a path can have
        there = False
    if not there:
        return None
    return f"{search_of(folder)}:value={path}{comma}{settings}"


def search_of(folder: Path) -> str:
    """The search that plays with a run, or with a value function of its own, as the directory's file says."""
    try:
        if (folder / HEADS[0]).is_file():
            told = read_json(folder / HEADS[0])["config"]
            if told["learner"] == "td":
                return WRAPPER
            family, by_exit = told["value"]["family"], told["learner"] == "exit"
        else:
            told = read_json(folder / HEADS[1])
            family, by_exit = told["family"], told["settings"].get("loss") in EXIT_LOSSES
        game, _ = parse_game(str(told["game"]))
        return agent_for(game, policy=family == "policy", by_exit=by_exit)
    except (GlauxError, OSError, ValueError, KeyError, TypeError, AttributeError):
        return AGENT  # whoever loads it says what is wrong


@dataclass(frozen=True)
class RandomSettings:
    """The settings of the player that plays at random."""

    seed: int = setting(0, "the random seed", most=SEEDS)


def _random(game: Game, rest: str, seed: int) -> Player:
    return RandomPlayer(game, read_all(RANDOM, rest, RandomSettings(seed)).seed)


def _agent(game: Game, rest: str, seed: int) -> Player:
    """The agent that ships with Glaux, with the search that its card names."""
    texts = {"value": WORD} | read_settings(WORD, rest)
    search = read_card(agent_of(game).name).search
    return search_player(search, game, texts, seed)


def default_player(game: Game) -> str | None:
    """The PLAYER if none is named: the agent that ships with Glaux, if the game has one."""
    return WORD if has_agent(game) else None


FACTORIES: dict[str, Factory] = {
    RANDOM: _random,
    WORD: _agent,
    **{name: partial(make_search_player, name) for name in SEARCHES},
    **{name: partial(make_engine_player, name) for name in ENGINES},
}
