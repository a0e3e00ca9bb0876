"""A signature of behaviour: one number that changes whenever what Glaux does changes.

The idea is Stockfish's: a change that should only make the code faster or clearer leaves the number as
it is, and a change of behaviour says why it is another. It is made of parts, one for each search of each
game and one for each learner, so that one sees what has changed.

Only what every machine finds alike goes into it: counts, actions, proofs, and values rounded to three
digits. So limits are evaluations and matches, never seconds; one thread; n-tuple networks, since a
neural network's sums depend on the library that adds them up.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from glaux.errors import InvalidFile
from glaux.learn.learner import Finished
from glaux.learn.registry import LEARNERS, make_learner, read_config
from glaux.rules.game import Game, State
from glaux.rules.registry import games, make
from glaux.search.registry import SEARCHES, VALUES, make_search
from glaux.search.tree import Tree
from glaux.values.calibration import random_positions

EVALUATIONS = 1000
PLIES = 12
"""random actions before the second of the positions that are searched"""
TRAINED_GAME = "othello:size=6"
TRAINED_MATCHES = 20
TRAINING: dict[str, Any] = {
    "game": TRAINED_GAME,
    "seed": 1,
    "warm_start": 100,
    "value": {"family": "ntuple", "count": 10, "length": 4, "seed": 1},
    "strength": {"every": 0.0},
}
SEARCHING: dict[str, Any] = {"symmetry": "random", "search": {"evaluations": 100, "memory": 64}}
"""what a learner takes besides if it searches"""


@dataclass(frozen=True)
class SignaturePart:
    """What one search or learner did."""

    name: str
    evaluations: int
    facts: Any
    """all that the number depends on, as plain JSON"""

    @property
    def number(self) -> int:
        """The signature of this part alone."""
        return digest(self.facts)


def signature(parts: Iterable[SignaturePart]) -> int:
    """The one number, whatever the order of the parts."""
    return digest(sorted((part.name, part.number) for part in parts))


def digest(facts: Any) -> int:
    """A number of 32 bits that is the same for equal facts everywhere."""
    text = json.dumps(facts, separators=(",", ":"))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big")


def tasks() -> Iterator[tuple[str, Callable[[], SignaturePart]]]:
    """All the parts, by name, each with what measures it."""
    for name in games():
        for search, entry in SEARCHES.items():
            yield f"{name} {search}", partial(search_part, name, search)
            if entry.learning:
                yield f"{name} {search} to learn", partial(search_part, name, search, learning=True)
    for learner in LEARNERS:
        yield f"training {learner}", partial(training_part, learner)


def search_part(game_name: str, search_name: str, learning: bool = False) -> SignaturePart:
    """A search of the start of a match, and of a later position with what it still knows."""
    game, entry = make(game_name), SEARCHES[search_name]
    value = VALUES["noise" if entry.value == "zero" else entry.value](1, 1)
    options = {"seed": 1, **(entry.learning if learning else {})}
    search = make_search(entry, game, value, options)
    evaluations = None if entry.iterations else EVALUATIONS
    trees = [
        _facts(search.run(state, iterations=entry.iterations, evaluations=evaluations))
        for state in positions(game)
    ]
    name = f"{game_name} {search_name}{' to learn' if learning else ''}"
    return SignaturePart(name, sum(tree["evaluations"] for tree in trees), trees)


def positions(game: Game) -> list[State]:
    """The start of a match, and what some random actions lead to."""
    rng, state = random.Random(1), game.initial()
    for _ in range(PLIES):
        following = game.apply(state, rng.choice(game.actions(state)))
        if game.terminal(following):
            break
        state = following
    return [game.initial(), state]


def _facts(tree: Tree) -> dict[str, Any]:
    counts = tree.statistics
    return {
        "action": tree.action,
        "value": rounded(tree.value),
        "resolved": tree.resolved,
        "iterations": counts.iterations,
        "expansions": counts.expansions,
        "evaluations": counts.evaluations,
        "depth": counts.depth,
        "children": [[row.action, rounded(row.v), row.c, row.r, row.n] for row in tree.children()],
    }


def training_part(learner: str) -> SignaturePart:
    """A short training: how its matches went, and what random positions are worth then."""
    searches = "search" in LEARNERS[learner].config_type.names()
    table = TRAINING | {"learner": learner} | (SEARCHING if searches else {})
    learning = make_learner(read_config(table))
    learning.warm_start()
    matches: list[list[Any]] = []

    def note(finished: list[Finished]) -> None:
        for one in finished:
            counts = [one.progress.evaluations, one.progress.learned, rounded(one.progress.loss)]
            matches.append([one.actions, one.outcome, *counts])

    learning.train(matches=TRAINED_MATCHES, listener=note)
    values = learning.value.evaluate(random_positions(learning.game, 20, seed=1))
    facts = {"matches": matches, "values": [rounded(float(value)) for value in values]}
    return SignaturePart(f"training {learner}", learning.evaluations, facts)


def rounded(value: float) -> float:
    """Without the digits in which machines may differ; never the -0 that is not 0 as a text."""
    return float(np.round(value, 3)) + 0.0


# The file that is kept beside the code: a line for each part, and one for all of them.

TOTAL = "signature"


def write_expected(path: Path, parts: Iterable[SignaturePart]) -> None:
    """Write what is expected from now on."""
    parts = list(parts)
    lines = [f"{TOTAL} {signature(parts)}", *(f"{part.name} {part.number}" for part in parts)]
    path.write_text("\n".join(lines) + "\n")


def read_expected(path: Path) -> dict[str, int]:
    """The numbers of a file that :func:`write_expected` wrote, by the names of the parts."""
    try:
        lines = [line.rpartition(" ") for line in path.read_text().splitlines()]
        return {name: int(number) for name, _, number in lines}
    except ValueError:
        raise InvalidFile(f"{path} is not a signature file.") from None


def changes(parts: Iterable[SignaturePart], expected: Mapping[str, int]) -> list[str]:
    """The names of the parts that are other than expected, that are new, or that are gone."""
    found = {part.name: part.number for part in parts}
    names = [*found, *(name for name in expected if name != TOTAL and name not in found)]
    return [name for name in names if found.get(name) != expected.get(name)]
