"""One match of the value function against itself, and what there is to learn from it.

    while not terminal(s):
        S, T <- search(s, S, T, f, f_t, tau)
        a    <- action_selection(s, S, T)
        s    <- a(s)

The search keeps its table from action to action, and proven states from match to match if wanted.
Everything random in a match comes from its own seed, so that match number k of a training is the
same whenever it is played with the same value function.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from glaux import _core
from glaux.learn import config as settings
from glaux.learn.selection import Selection, completed_selection
from glaux.learn.targets import make_targets
from glaux.players.searching import SearchLimits
from glaux.rules.game import Game
from glaux.search.best_first import BestFirst
from glaux.search.heuristics import Heuristic
from glaux.search.registry import find_search, make_search
from glaux.search.search import Search
from glaux.values.examples import Examples
from glaux.values.value import ValueFunction

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Played:
    """A match, and what there is to learn from it."""

    number: int
    actions: list[int]
    outcome: int
    """+1, 0 or -1 for the first player"""
    end_value: float
    """what the heuristic says of the end"""
    examples: Examples
    evaluations: int
    expansions: int
    seconds: float
    search_seconds: float
    full: bool
    """the tree has reached its memory budget"""


class SelfPlay:
    """Plays matches with one search that lives as long as the training."""

    def __init__(self, config: settings.Config, heuristic: Heuristic, selection: Selection) -> None:
        self.game: Game = heuristic.game
        self.config = config
        self.heuristic = heuristic
        self.selection = selection
        self.limits = SearchLimits(
            seconds=config.search.seconds or None,
            iterations=config.search.iterations or None,
            evaluations=config.search.evaluations or None,
        )
        self.search = _make_search(config.search, heuristic)

    def match(self, value: ValueFunction, number: int, progress: float) -> Played:
        """Play match number ``number`` of the training, which has come as far as ``progress``, 0 to 1."""
        begun = time.perf_counter()
        game, search = self.game, self.search
        rng = np.random.default_rng([self.config.seed, number])
        self._begin(value, int(rng.integers(2**63)))
        targets = make_targets(self.config.targets, search)
        state, actions = game.initial(), []
        evaluations = expansions = 0
        searching, full = 0.0, False
        while not game.terminal(state):
            tree = search.run(state, **self.limits)
            found = tree.statistics
            evaluations += found.evaluations
            expansions += found.expansions
            searching += found.seconds
            full |= found.full
            targets.observe(tree)
            first = game.first_player(state)
            action = completed_selection(tree.columns(), first, self.selection, rng, progress)
            actions.append(action)
            state = game.apply(state, action)
        outcome = game.outcome(state)
        assert outcome is not None
        end_value = self.heuristic.value(state)
        examples = targets.examples(search, state, end_value)
        taken = time.perf_counter() - begun
        return Played(
            number,
            actions,
            outcome,
            end_value,
            examples,
            evaluations,
            expansions,
            taken,
            searching,
            full,
        )

    def _begin(self, value: ValueFunction, seed: int) -> None:
        if isinstance(self.search, BestFirst):
            self.search.clear_but_resolved(self.config.keep_resolved)
            self.search.native.reseed(seed)
        else:
            self.search = _make_search(self.config.search, self.heuristic, seed)
        self.search.value = value


def _make_search(search: settings.Search, heuristic: Heuristic, seed: int = 0) -> Search:
    entry = find_search(search.algorithm)
    options: dict[str, Any] = {"completion": search.completion, "seed": seed}
    if search.c >= 0:
        options["c"] = search.c
    options = {name: value for name, value in options.items() if name in entry.option_names}
    options["memory"] = search.memory * MEGABYTE
    return make_search(entry, heuristic.game, _core.ZeroValue(), options, heuristic)
