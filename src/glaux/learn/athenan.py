"""Athénan: learning from self-play, end to end.

    repeat:  play a match, or some in lock-step, by search (worker.py)
             D <- the examples of the match, with symmetric copies; put D into the replay memory
             learn from what the replay memory gives

``self_play.py`` has the loop with its workers, here is what Athénan does with a match.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from glaux.arrays import Arrays
from glaux.errors import InvalidParameter, suggest
from glaux.fields import setting
from glaux.learn.replay import Replay, ReplaySettings
from glaux.learn.selection import SelectionSettings, select
from glaux.learn.self_play import SelfPlay
from glaux.learn.targets import TARGETS, Targets, make_targets
from glaux.learn.worker import Choose, SearchBudget, SelfPlayConfig
from glaux.search.heuristics import Heuristic
from glaux.search.registry import find_search, learning, make_search
from glaux.search.search import Search
from glaux.search.tree import Tree
from glaux.values.augmentation import SYMMETRIES, augmented
from glaux.values.examples import STATES, Examples
from glaux.values.value import ValueFunction


@dataclass(frozen=True)
class SearchSettings(SearchBudget):
    """How a match is played: which search, and what it may spend on an action."""

    algorithm: str = setting("descent", f"a search that can be learned from: {', '.join(learning())}")
    completion: bool = setting(True, "prove results (descent, ubfm and alphabeta only)")
    c: float | None = setting(
        None,
        "exploration constant of mcts, wrap and puct, for values from -1 to 1; by default the search's own",
        kind=float,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.algorithm not in learning():
            raise InvalidParameter(
                f"There is no search.algorithm '{self.algorithm}'{suggest(self.algorithm, learning())}"
            )

    def make(self, value: ValueFunction, heuristic: Heuristic) -> Search:
        """The search of one match after the other."""
        entry = find_search(self.algorithm)
        options: dict[str, Any] = {"completion": self.completion, "c": self.c, "memory": self.memory << 20}
        given = {k: v for k, v in options.items() if k in entry.option_names and v is not None}
        return make_search(entry, heuristic.game, value, {**entry.learning, **given}, heuristic)


@dataclass(frozen=True)
class AthenanConfig(SelfPlayConfig):
    """The settings of Athénan."""

    learner: str = setting("athenan", "athenan: self-play by search, learning from its trees")
    targets: str = setting("tree", "learning targets: tree, root or terminal learning (Algorithms 3 to 5)")
    leaves: bool = setting(False, "tree learning: also learn non-terminal leaves (Remark 3)")
    keep_resolved: int = setting(0, "proven states kept from match to match", least=0, most=2**40)
    search: SearchSettings = setting(SearchSettings(seconds=0.1), "how moves are searched")
    selection: SelectionSettings = setting(SelectionSettings(), "how moves are chosen after a search")
    symmetry: str = setting("none", "symmetric copies of examples: none, random or all")
    replay: ReplaySettings = setting(
        ReplaySettings(), "the replay memory, from which it learns after a match"
    )

    choices: ClassVar[dict[str, tuple[str, ...]]] = SelfPlayConfig.choices | {
        "targets": tuple(TARGETS),
        "symmetry": SYMMETRIES,
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        self.make_targets()  # which says what can't be

    @property
    def budget(self) -> SearchBudget:
        """The section [search]."""
        return self.search

    @property
    def kept_states(self) -> int:
        """Proven states that a search keeps from match to match."""
        return self.keep_resolved

    def make_targets(self) -> Targets:
        """What is learned from a match."""
        return make_targets(self.targets, leaves=self.leaves)

    def make_choice(self, number: int) -> Choose:
        """By the distribution of [selection]."""
        selection = self.selection.make()

        def choose(tree: Tree, rng: np.random.Generator, progress: float, _ply: int) -> int:
            return select(tree, selection, rng, progress, completed=self.selection.completed)

        return choose


class Athenan(SelfPlay):
    """Self-play by search, and learning from what the searches have found."""

    name = "athenan"
    config_type = AthenanConfig
    config: AthenanConfig

    def make_replay(self) -> Replay | None:
        """That of [replay]."""
        return self.config.replay.make()

    def experience(self, examples: Examples) -> list[Examples]:
        """What to learn after a match, in minibatches."""
        copies = augmented(self.game, examples, self.config.symmetry, self.rng)
        if self.replay is None:
            return list(self.shuffled(copies))
        self.replay.add(copies)
        return list(self.replay.minibatches(self.batch_size, self.rng))

    def describe(self) -> str:
        """How it learns, in a few words."""
        return f"{self.config.search.algorithm}, {self.config.targets} learning, {self.heuristic.text}"

    # For checkpoints

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """With the replay memory and, of a single worker, the proven states."""
        plain, arrays = super().state()
        for prefix, search in self._proving():
            proven = search.proven(self.config.keep_resolved)
            arrays |= {prefix + name: array for name, array in proven.items()}
        return plain, arrays

    def restore(self, plain: Mapping[str, Any], arrays: Arrays) -> None:
        """Continue where :meth:`state` was taken."""
        super().restore(plain, arrays)
        for prefix, search in self._proving():
            proven = {k.removeprefix(prefix): v for k, v in arrays.items() if k.startswith(prefix)}
            if proven:
                self.game.array(proven[STATES])
            search.add_proven(proven)

    def _proving(self) -> Iterator[tuple[str, Search]]:
        """The searches whose proven states are saved: those of several workers are busy then."""
        if self.team.alone and self.config.keep_resolved:
            for i, search in enumerate(self.team.workers[0].searches):
                yield f"proven.{i}." if i else "proven.", search
