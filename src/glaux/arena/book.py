"""Opening books: the states after K actions from which a match is worth playing.

A book has each state once, whatever the order of actions that leads there and however the board is
turned or mirrored; it keeps the first actions that were found. States in which the match is over are
not in it. Pairs of games that share an opening with the colours exchanged make any book balanced.

The states are counted ply by ply. When there are more than ``EVERY`` at some ply, a book of all is out
of reach, and a seeded sample takes its place: random actions, a state up to symmetry still only once.
Such a sample prefers states to which many orders of actions lead.
"""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt

from glaux import _core
from glaux.arena.match import random_opening
from glaux.errors import InvalidParameter
from glaux.rules.game import ONGOING, Game, StateArray
from glaux.words import plural

EVERY = 20_000
"""States of one ply up to which all are listed."""
TRIES = 20
"""Random openings tried for each one of a sample."""

Opening = tuple[int, ...]


def make_book(game: Game, plies: int, seed: int, most: int) -> list[Opening]:
    """At most ``most`` openings of this many plies in a seeded order; all of them if there are no more."""
    if plies < 0:
        raise InvalidParameter(f"An opening can't have {plies} plies.")
    if most < 1:
        raise InvalidParameter(f"A book must have at least 1 opening, not {most}.")
    found = every_opening(game, plies)
    if found is None:
        return sampled_openings(game, plies, seed, most)
    if not found:
        raise InvalidParameter(
            f"{game.spec.title} never lasts {plural(plies, 'action')}: choose a shorter opening."
        )
    return random.Random(seed).sample(found, min(most, len(found)))


def every_opening(game: Game, plies: int) -> list[Opening] | None:
    """All the openings, in the order of their actions; None if there are more than ``EVERY``."""
    level: dict[bytes, Opening] = {bytes(game.initial()): ()}
    for _ in range(plies):
        level = _next_level(game, level)
        if len(level) > EVERY:
            return None
    return sorted(level.values())


def sampled_openings(game: Game, plies: int, seed: int, count: int) -> list[Opening]:
    """So many random openings, different up to symmetry; fewer if no others are found in many tries."""
    chosen: dict[bytes, Opening] = {}
    rng = random.Random(seed)
    for _ in range(TRIES * count):
        if len(chosen) == count:
            break
        opening = tuple(random_opening(game, plies, rng.getrandbits(63)))
        chosen.setdefault(state_up_to_symmetry(game, opening), opening)
    return list(chosen.values())


def state_up_to_symmetry(game: Game, opening: Opening) -> bytes:
    """The same bytes for all openings whose states are alike but for a symmetry of the board."""
    state = game.initial()
    for action in opening:
        state = game.apply(state, action)
    return bytes(canonical(game, game.array(state))[0])


def canonical(game: Game, states: StateArray) -> StateArray:
    """For each state, uint8[n, state_size], the smallest of its images under the symmetries."""
    best = states
    for symmetry in range(1, game.spec.symmetry_count):
        image = game.native.transform(states, symmetry, _core.trusted)
        best = np.where(_smaller(image, best)[:, None], image, best)
    return best


def _smaller(a: StateArray, b: StateArray) -> npt.NDArray[np.bool_]:
    """Whether each row of a comes before that of b, bytes compared from the left."""
    first_difference = np.argmax(a != b, axis=1)
    rows = np.arange(len(a))
    smaller: npt.NDArray[np.bool_] = a[rows, first_difference] < b[rows, first_difference]
    return smaller


def _next_level(game: Game, level: dict[bytes, Opening]) -> dict[bytes, Opening]:
    """The states one ply on in which the match goes on, each with the first opening that leads there.

    Keys are canonical, openings lead to states as they are: so each is expanded from its own state.
    """
    following: dict[bytes, Opening] = {}
    for opening in level.values():
        state = game.initial()
        for action in opening:
            state = game.apply(state, action)
        children = game.expand(state)
        ongoing = children.results == ONGOING
        if not ongoing.any():
            continue
        keys = canonical(game, children.children[ongoing])
        for key, action in zip(keys, children.actions[ongoing], strict=True):
            following.setdefault(key.tobytes(), (*opening, int(action)))
        if len(following) > EVERY:
            break
    return following
