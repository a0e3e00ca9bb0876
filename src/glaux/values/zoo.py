"""The agents that ship with Glaux, in its box: packed value functions, each with a card that tells of it.

They stand in the folder ``zoo`` of this package, or in the one that the variable GLAUX_ZOO names, each in a
directory with the name of its game. An agent is for its game at the default parameters. ``zoo:othello``
names one where a directory of a value function is wanted, and ``zoo`` that of the game at hand.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from glaux.errors import InvalidFile, InvalidParameter, UnknownName, suggest
from glaux.fields import check_types, from_mapping, setting
from glaux.foreign import read_json
from glaux.rules.game import Game
from glaux.rules.registry import make
from glaux.values.saving import HEAD

WORD = "zoo"
FOLDER = Path(__file__).parents[1] / WORD
VARIABLE = "GLAUX_ZOO"
CARD = "card.json"
MOST, MOST_IN_ALL = 2_000_000, 25_000_000
"""bytes of an agent, and of all that ship"""


@dataclass(frozen=True)
class Match:
    """Games that an agent has played to be measured."""

    player: str = setting("", "the agent as a PLAYER")
    opponent: str = setting("", "the opponent")
    games: int = setting(0, "number of games", least=1)
    wins: int = setting(0, "games won", least=0)
    draws: int = setting(0, "games drawn", least=0)
    losses: int = setting(0, "games lost", least=0)
    score: float = setting(0.0, "share of points: a win counts 1, a draw 1/2", least=0, most=1)
    low: float = setting(0.0, "lower end of the 95% interval", least=0, most=1)
    high: float = setting(0.0, "upper end of the 95% interval", least=0, most=1)
    command: str = setting("", "the command that repeats the match")

    def __post_init__(self) -> None:
        check_types(self, "A match of a card")
        if self.wins + self.draws + self.losses != self.games:
            raise InvalidParameter("A card's wins, draws and losses must add up to its games.")


@dataclass(frozen=True)
class Card:
    """How an agent was trained and measured."""

    game: str = setting("", "the game and its parameters")
    title: str = setting("", "the game's title")
    version: str = setting("", "version of Glaux")
    made: str = setting("", "date of packing")
    family: str = setting("", "family of the value function")
    description: str = setting("", "the value function in a line")
    search: str = setting("", "the search it plays with by default")
    preset: str = setting("", "the preset it was trained with")
    settings: list[str] = field(default_factory=list, metadata={"kind": list})
    """the training: what was set besides, as --set takes it"""
    command: str = setting("", "the command that trained it")
    minutes: float = setting(0.0, "minutes of training")
    matches: int = setting(0, "self-play matches")
    learned: int = setting(0, "examples learned")
    commit: str = setting("", "commit of Glaux when it was packed")
    machine: str = setting("", "the machine it was trained on")
    bits: int = setting(0, "bits of a packed weight")
    error: float = setting(0.0, "mean change of values by packing, as a share of the largest value")
    error_most: float = setting(0.0, "largest change seen")
    measured: list[Match] = field(default_factory=list, metadata={"kind": list})

    def __post_init__(self) -> None:
        check_types(self, "A card")
        if not all(isinstance(text, str) for text in self.settings):
            raise InvalidParameter("A card's settings must be texts.")

    def write(self) -> dict[str, Any]:
        """The same as JSON."""
        return asdict(self)


def folder() -> Path:
    """Where the agents are."""
    chosen = os.environ.get(VARIABLE)
    return Path(chosen) if chosen else FOLDER


def agents() -> list[str]:
    """The names of the games that have an agent."""
    return sorted(head.parent.name for head in folder().glob(f"*/{HEAD}"))


def agent_folder(name: str) -> Path:
    """The directory of the agent of this game; UnknownName with a sentence if there is none."""
    known = agents()
    if name not in known:
        raise UnknownName(f"No agent '{name}' ships with Glaux{suggest(name, known)}")
    return folder() / name


def has_agent(game: Game) -> bool:
    """Whether there is an agent of this game with these parameters."""
    return game.name in agents() and game.same_rules(make(game.name))


def agent_of(game: Game) -> Path:
    """The directory of a game's agent; UnknownName with a sentence if it has none."""
    if game.name not in agents():
        raise UnknownName(
            f"No agent for {game.label} ships with Glaux: 'glaux zoo' lists those that do, and 'glaux zoo "
            f"build {game.name}' trains one."
        )
    usual = make(game.name)
    if not game.same_rules(usual):
        raise UnknownName(
            f"The {game.spec.title} agent plays {usual.rules_text}, not {game.rules_text}: agents play "
            "with default parameters only."
        )
    return agent_folder(game.name)


def is_agent(text: str) -> bool:
    """Whether a text names an agent in the box: ``zoo`` or ``zoo:othello``."""
    return text.partition(":")[0] == WORD


def find_agent(text: str, game: Game | None = None) -> Path:
    """The directory that ``zoo:othello``, or ``zoo`` with a game, stands for."""
    _, _, name = text.partition(":")
    if name:
        return agent_folder(name)
    if game is None:
        raise InvalidParameter("Name the agent's game, as in zoo:othello.")
    return agent_of(game)


def read_card(name: str) -> Card:
    """The card of an agent; InvalidFile with a sentence if it is not valid."""
    path = agent_folder(name) / CARD
    try:
        table = read_json(path)
        known = {f.name for f in fields(Card)}
        # A card of a newer Glaux may tell more.
        told = {key: value for key, value in dict(table).items() if key in known}
        matches = [from_mapping(Match, match, "A match of a card") for match in told.get("measured", [])]
        return from_mapping(Card, told | {"measured": matches}, "A card")
    except OSError:
        raise InvalidFile(f"The agent '{name}' has no card: '{path}' is missing.") from None
    except (ValueError, TypeError, InvalidParameter) as error:
        raise InvalidFile(f"'{path}' is not the card of an agent: {error}") from None
