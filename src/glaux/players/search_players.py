"""How the PLAYER texts of the searches are read: ``ubfms:value=playouts,seconds=0.2``.

Settings that all of them share:

- ``seconds``, ``iterations``, ``evaluations``: what a decision may cost; 1 second if none is given
- ``value``: ``zero`` (only terminal states have values), ``playouts``, ``noise``, or the directory of a
  value function that has learned
- ``symmetries``: how many of the game's an n-tuple network from a directory looks through; by default as
  many as it learned with
- ``heuristic``: what the ends of matches are worth; by default what they were when the value learned
- ``playouts``: random matches for a value of ``value=playouts``
- ``memory``: the budget of the search, as 500M or 2G
- ``seed``: for ties and playouts
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from glaux import _core
from glaux.errors import InvalidParameter, suggest
from glaux.players.searching import SearchLimits, SearchPlayer
from glaux.players.settings import Settings
from glaux.rules.game import Game
from glaux.search.alpha_beta import AlphaBeta
from glaux.search.best_first import UBFM, Descent
from glaux.search.door import Value
from glaux.search.heuristics import Heuristic, make_heuristic
from glaux.search.mcts import MCTS, MCTSWrapper
from glaux.search.search import DEFAULT_MEMORY, Search
from glaux.values.loading import load_to_play

DEFAULT_SECONDS = 1.0
MakeSearch = Callable[[Game, Settings, int], Search]
"""Makes a search from the game, the settings of the text, and the seed."""


def read_limits(settings: Settings, needed: bool) -> SearchLimits:
    """The limits of a decision."""
    limits = SearchLimits(
        seconds=settings.optional("seconds"),
        iterations=settings.optional_integer("iterations"),
        evaluations=settings.optional_integer("evaluations"),
    )
    if needed and all(limit is None for limit in limits.values()):
        limits["seconds"] = DEFAULT_SECONDS
    return limits


def read_value(game: Game, settings: Settings, seed: int, default: str = "zero") -> Value:
    """The value function that the text names, or the one in a directory."""
    playouts = settings.integer("playouts", 1, low=1)
    values: dict[str, Callable[[], Value]] = {
        "zero": _core.ZeroValue,
        "noise": _core.NoiseValue,
        "playouts": lambda: _core.PlayoutValue(playouts, seed),
    }
    name = settings.text("value", default)
    if name in values:
        return values[name]()
    if Path(name).is_dir():
        return load_to_play(Path(name), game, settings.integer("symmetries", 0))
    known = [*values, "or the directory of one that has learned"]
    raise InvalidParameter(f"There is no value function '{name}'{suggest(name, known)}")


def read_heuristic(game: Game, value: Value, settings: Settings) -> Heuristic:
    """What ends are worth: as the text says, or as they were when the value function learned.

    Mobility needs states that count it, which those of a match need not: then the gain has to do.
    """
    of_value = getattr(value, "heuristic", "classic")
    name = settings.text("heuristic", "that of the value")
    if name == "that of the value":
        counted = of_value.startswith("mobility") and not game.spec.has_mobility
        name = "classic" if counted else of_value
    return make_heuristic(game, name)


def best_first(kind: type[UBFM] | type[Descent], decision: str) -> MakeSearch:
    """Unbounded minimax with its decision."""

    def make(game: Game, settings: Settings, seed: int) -> Search:
        value = read_value(game, settings, seed)
        return kind(
            game,
            value,
            terminal_value=read_heuristic(game, value, settings).native,
            completion=settings.flag("completion", True),
            decision=settings.text("decision", decision),
            seed=seed,
            memory=settings.size("memory", DEFAULT_MEMORY),
        )

    return make


def greedy(game: Game, settings: Settings, seed: int) -> Search:
    """No search at all: the children of a state are valued, and the best is taken."""
    value = read_value(game, settings, seed)
    terminal_value = read_heuristic(game, value, settings).native
    return UBFM(game, value, terminal_value=terminal_value, completion=False, seed=seed)


def alpha_beta(game: Game, settings: Settings, seed: int) -> Search:
    """Alpha-beta, to a depth or by iterative deepening."""
    return AlphaBeta(
        game,
        read_value(game, settings, seed),
        settings.integer("depth", 0),
        completion=settings.flag("completion", True),
        seed=seed,
        memory=settings.size("memory", DEFAULT_MEMORY),
    )


def mcts(game: Game, settings: Settings, seed: int) -> Search:
    """UCT, with random playouts unless another value is named."""
    value = read_value(game, settings, seed, default="playouts")
    default_c = MCTS.c_playouts if isinstance(value, _core.PlayoutValue) else MCTS.c_value
    return MCTS(
        game,
        value,
        c=settings.number("c", default_c),
        seed=seed,
        memory=settings.size("memory", DEFAULT_MEMORY),
    )


def wrapper(game: Game, settings: Settings, seed: int) -> Search:
    """The MCTS wrapper around a value function.

    ``c`` and ``temperature`` are meant for values from -1 to 1; where ends are worth more, as with the
    heuristics of Athénan, they count in that unit.
    """
    value = read_value(game, settings, seed, default="playouts")
    heuristic = read_heuristic(game, value, settings)
    return MCTSWrapper(
        game,
        value,
        terminal_value=heuristic.native,
        c=settings.number("c", MCTSWrapper.c_default) * heuristic.scale,
        temperature=settings.number("temperature", 1.0) * heuristic.scale,
        priors=settings.text("priors", "softmax"),
        seed=seed,
        memory=settings.size("memory", DEFAULT_MEMORY),
    )


class Kind(NamedTuple):
    """A kind of player: what it is in a line, and how it is made."""

    summary: str
    make: MakeSearch
    iterations: int | None = None
    """if it always takes so many, and has no limits to set"""


SEARCHES = {
    "ubfm": Kind("unbounded minimax, plays the best value", best_first(UBFM, "best")),
    "ubfms": Kind("unbounded minimax, plays the safest action", best_first(UBFM, "safest")),
    "descent": Kind("Descent, made for learning", best_first(Descent, "best")),
    "alphabeta": Kind("alpha-beta, to a depth or deeper and deeper", alpha_beta),
    "mcts": Kind("Monte Carlo tree search, UCT", mcts),
    "greedy": Kind("the best value one action ahead, no search", greedy, iterations=1),
    "wrap": Kind("the MCTS wrapper around a value function, PUCT", wrapper),
}


def make_search_player(name: str, game: Game, text: str, seed: int) -> SearchPlayer:
    """The player of one of ``SEARCHES`` with the settings of its text."""
    return _read(Settings(name, text), game, seed)


def known_settings(name: str, game: Game) -> dict[str, str]:
    """The settings of a player with their defaults, in the order in which they are read."""
    settings = Settings(name, "")
    _read(settings, game, 0)
    return settings.known


def _read(settings: Settings, game: Game, seed: int) -> SearchPlayer:
    chosen_seed = settings.integer("seed", seed)
    kind = SEARCHES[settings.player]
    search = kind.make(game, settings, chosen_seed)
    if kind.iterations is None:
        limits = read_limits(settings, search.needs_limit)
    else:
        limits = SearchLimits(seconds=None, iterations=kind.iterations, evaluations=None)
    settings.finish()
    return SearchPlayer(search, limits)
