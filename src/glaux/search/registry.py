"""The one table of the searches: players, training runs, benchmarks, the page and the docs read it.

A new search is its own files and one line of ``_ENTRIES``. :func:`make_search` makes each of them, so
that what a value function has learned to be the worth of an end is read in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from glaux import _core
from glaux.errors import UnknownName, suggest
from glaux.rules.game import Game
from glaux.search.alpha_beta import AlphaBeta, AlphaBetaOptions
from glaux.search.best_first import UBFM, BestFirstOptions, Descent, Greedy, UBFMOptions
from glaux.search.door import Answers, Value
from glaux.search.exit import Expert, ExpertOptions
from glaux.search.heuristics import Heuristic, make_heuristic
from glaux.search.mcts import MCTS, MctsOptions, MCTSWrapper, WrapperOptions
from glaux.search.options import SearchOptions
from glaux.search.puct import PUCT, PuctOptions
from glaux.search.recommended import search_named
from glaux.search.search import Search, playout_seed

VALUES: dict[str, Callable[..., _core.Evaluator]] = {
    "zero": lambda *_: _core.ZeroValue(),
    "noise": lambda *_: _core.NoiseValue(),
    "playouts": _core.PlayoutValue,
}
"""Value functions without learning: 0 for all; a number drawn from the hash of the state; the mean worth of
the ends of some random matches. Each takes the number of these matches, their seed and, if it is not the
gain, what an end is worth."""


@dataclass(frozen=True)
class Measuring:
    """How a search is measured by ``glaux bench search``."""

    value: str
    """one of VALUES"""
    child_bytes: int
    """what a child takes that is only an edge; 0: no edges. A static_assert beside the edge keeps it true"""


@dataclass(frozen=True)
class Entry:
    """A search: what people and programs have to know of it."""

    name: str
    title: str
    summary: str
    """in a line"""
    page: str
    """the stem of its page in docs/algorithms"""
    search: Callable[..., Search]
    """its class"""
    options: SearchOptions
    """the defaults; their dataclass has a help text for each"""
    value: str = "zero"
    """the one of VALUES that it has if none is given"""
    learns: bool = True
    """whether a training run can search with it"""
    learning: Mapping[str, Any] = field(default_factory=dict)
    """the options that differ in a training run"""
    proves: bool = True
    """whether it can prove results"""
    iterations: int | None = None
    """if it always takes this many, and has no limits to set"""
    measured: Measuring | None = None
    """None: not measured, because another entry is the same work"""
    offered: int = 0
    """random matches that value a state where the page offers it; 0: it does not"""

    @property
    def option_names(self) -> list[str]:
        """The names of its options."""
        return [f.name for f in fields(self.options)]


_ENTRIES = (
    Entry(
        name="ubfm",
        title="Unbounded minimax",
        summary="unbounded minimax; plays the best value",
        page="ubfm",
        search=UBFM,
        options=UBFMOptions(),
        measured=Measuring("noise", 16),
        offered=8,
    ),
    Entry(
        name="ubfms",
        title="Unbounded minimax, safest",
        summary="unbounded minimax; plays the safest action",
        page="ubfm",
        search=UBFM,
        options=UBFMOptions(decision="safest"),
        learns=False,
        offered=8,
    ),
    Entry(
        name="descent",
        title="Descent",
        summary="Descent, made for learning",
        page="descent",
        search=Descent,
        options=BestFirstOptions(),
        measured=Measuring("noise", 16),
        offered=8,
    ),
    Entry(
        name="alphabeta",
        title="Alpha-beta",
        summary="alpha-beta, to a fixed depth or by iterative deepening",
        page="alpha_beta",
        search=AlphaBeta,
        options=AlphaBetaOptions(),
        learning={"plain": True},
        measured=Measuring("noise", 0),
        offered=8,
    ),
    Entry(
        name="mcts",
        title="MCTS",
        summary="Monte Carlo tree search, UCT",
        page="mcts",
        search=MCTS,
        options=MctsOptions(),
        value="playouts",
        proves=False,
        measured=Measuring("playouts", 24),
        offered=1,
    ),
    Entry(
        name="wrap",
        title="MCTS wrapper",
        summary="MCTS wrapper: PUCT around a value function",
        page="mcts",
        search=MCTSWrapper,
        options=WrapperOptions(),
        value="playouts",
        proves=False,
        measured=Measuring("noise", 24),
        offered=1,
    ),
    Entry(
        name="puct",
        title="PUCT",
        summary="Monte Carlo tree search with a policy, as in AlphaZero",
        page="puct",
        search=PUCT,
        options=PuctOptions(),
        value="playouts",
        proves=False,
        measured=Measuring("noise", 24),
    ),
    Entry(
        name="exit",
        title="ExIt's expert",
        summary="Monte Carlo tree search with playouts and a policy, as in ExIt",
        page="exit",
        search=Expert,
        options=ExpertOptions(),
        value="playouts",
        proves=False,
        measured=Measuring("noise", 24),
    ),
    Entry(
        name="greedy",
        title="Greedy",
        summary="the best value one action ahead, without search",
        page="ubfm",
        search=Greedy,
        options=SearchOptions(),
        learns=False,
        proves=False,
        iterations=1,
    ),
)
SEARCHES: dict[str, Entry] = {entry.name: entry for entry in _ENTRIES}
ALIASES = {"uct": "mcts"}
"""names of before, which are still understood"""
AGENT, POLICY_AGENT, EXIT_AGENT = "ubfms", "puct", "exit"
"""the searches that play with what has learned, where nobody chooses another: without a policy, with one, and
with one that was learned by ExIt"""
EXIT_LOSSES = ("policy", "likelihood")
"""what ExIt's networks minimize"""


def find_search(name: str, what: str = "search", known: Sequence[str] | None = None) -> Entry:
    """The entry of this name; UnknownName, with the nearest of those that are ``known``, if there is none."""
    known = list(SEARCHES) if known is None else known
    found = ALIASES.get(name, name)
    if found not in known:
        raise UnknownName(f"There is no {what} '{name}'{suggest(name, known)}")
    return SEARCHES[found]


def agent_of(value: Value) -> str:
    """The search that plays with a value function, where nobody chooses another."""
    game = getattr(value, "game", None)
    by_exit = getattr(value, "loss", "") in EXIT_LOSSES
    return agent_for(game.name if game else "", policy=isinstance(value, Answers), by_exit=by_exit)


def agent_for(game: str, *, policy: bool, by_exit: bool) -> str:
    """The same by what is known of it: its game, and whether it has a policy, learned by ExIt."""
    if policy:
        return EXIT_AGENT if by_exit else POLICY_AGENT
    return search_named(game) or AGENT


def learning() -> list[str]:
    """The names of those that a training run can search with."""
    return [entry.name for entry in SEARCHES.values() if entry.learns]


def offered() -> list[Entry]:
    """What the page offers without a value that has learned."""
    return [entry for entry in SEARCHES.values() if entry.offered]


def make_search(
    entry: Entry | str,
    game: Game,
    value: Value = None,
    options: Mapping[str, Any] | SearchOptions | None = None,
    heuristic: Heuristic | None = None,
) -> Search:
    """A search of a game with a value function.

    ``options`` are those that differ from the entry's, or all of them. Constants of exploration are
    meant for values from -1 to 1, and are scaled to the values of ``heuristic``: what ends are worth, by
    default as the value function learned. Without a value the search has the entry's.
    """
    if isinstance(entry, str):
        entry = find_search(entry)
    game = game.encoded_as(getattr(value, "game", game))
    chosen = options if isinstance(options, SearchOptions) else entry.options.changed(options or {})
    if heuristic is None:
        heuristic = heuristic_of(value, game)
    made = None
    if value is None:
        value = made = VALUES[entry.value](1, playout_seed(chosen.seed), heuristic.native)
    chosen = chosen.for_value(value, heuristic.scale)
    search = entry.search(game, value, terminal_value=heuristic.native, **asdict(chosen))
    if isinstance(made, _core.PlayoutValue):
        search.playouts = made
    return search


def heuristic_of(value: Value, game: Game, text: str | None = None) -> Heuristic:
    """What ends are worth: as the text says, or as they were when the value function learned.

    Mobility needs states that count it, which those of a match need not: then the gain has to do.
    """
    if text is None:
        text = getattr(value, "heuristic", "classic")
        if text.startswith("mobility") and not game.spec.has_mobility:
            text = "classic"
    return make_heuristic(game, text)
