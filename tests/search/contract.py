"""What every search keeps, said in code: each check takes an entry of the registry of searches."""

from __future__ import annotations

import random
import time
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pytest

import glaux
from glaux import Game, State, _core
from glaux.arena.match import play_match
from glaux.errors import BrokenValue, GlauxError, InvalidParameter, InvalidState
from glaux.players.registry import make_player
from glaux.search.heuristics import Heuristic, available, make_heuristic
from glaux.search.registry import SEARCHES, Entry, make_search
from glaux.search.search import Search
from tests.search.minimax import TooLarge, outcome, worth

SLACK = 5.0
"""seconds of the processor by which a search may be late"""
STATES = 1000
"""of the tree of a late position, as the witness walks it"""
EVALUATIONS = 300_000
"""after which a search has failed to solve a late position"""


def make(entry: Entry, game: Game, **options: Any) -> Search:
    """A search with noise as its value: the same for the same state, so that searches can be compared."""
    return make_search(entry, game, _core.NoiseValue(), options)


def hopeful(hope: float, states: Any) -> Any:
    """The same value for all states."""
    return np.full(len(states), hope, np.float32)


def kinds(threads: int) -> dict[str, Entry]:
    """Every kind of search that several threads can work at, with so many of them."""
    able = {e.search: e for e in SEARCHES.values() if "threads" in e.option_names}
    return {
        f"{e.name}-{threads}-threads": replace(e, options=e.options.changed({"threads": threads}))
        for e in able.values()
    }


def limits(entry: Entry, evaluations: int) -> dict[str, Any]:
    """Limits that do not depend on the machine's speed."""
    return {"iterations": entry.iterations} if entry.iterations else {"evaluations": evaluations}


# Positions


def late_positions(game: Game, rng: random.Random) -> list[tuple[State, float]]:
    """States of a random match with their outcomes, from its end back to where trees are too large."""
    line = [game.initial()]
    while not game.terminal(line[-1]):
        line.append(game.apply(line[-1], rng.choice(game.actions(line[-1]))))
    memo: dict[bytes, float] = {}
    found = []
    for s in reversed(line[:-1]):
        try:
            found.append((s, outcome(game, s, memo, STATES)))
        except TooLarge:
            break
    return found


MATCHES = 10_000
"""that are played in search of positions"""


@lru_cache
def only_wins(text: str, seed: int, count: int) -> list[tuple[list[int], set[int]]]:
    """Lines to states whose player wins at once by some actions, and by no others however long it takes.

    Lines and not states, because those of a heuristic may count more.
    """
    game, rng = glaux.make(text), random.Random(seed)
    found: list[tuple[list[int], set[int]]] = []
    for _ in range(MATCHES):
        if len(found) == count:
            break
        s, line = game.initial(), list[int]()
        while not game.terminal(s):
            at_once = winning_at_once(game, s)
            if at_once and len(at_once) < len(game.actions(s)) and not wins_later(game, s):
                found.append((line.copy(), at_once))
                break
            line.append(rng.choice(game.actions(s)))
            s = game.apply(s, line[-1])
    assert found, f"nobody wins {text} by one action alone"
    return found


def winning_at_once(game: Game, s: State) -> set[int]:
    actions, _, results, *_ = game.native.expand(s.data)
    return set(actions[results == (1 if game.first_player(s) else -1)].tolist())


def wins_later(game: Game, s: State) -> bool:
    """Whether another action wins as well, or the witness can't tell."""
    win = 1 if game.first_player(s) else -1
    after = [t for t in (game.apply(s, a) for a in game.actions(s)) if not game.terminal(t)]
    try:
        return any(outcome(game, t, {}, STATES) == win for t in after)
    except TooLarge:
        return True


@lru_cache
def heuristics(text: str) -> list[Heuristic]:
    game = glaux.make(text)
    return [make_heuristic(game, name) for name in available(game)]


# The contract


def check_win_at_once(entry: Entry, text: str, seed: int, positions: int = 2) -> None:
    """It takes the only win, whatever an end is worth and the value function hopes for elsewhere.

    The hope is half the worth of the win: more than 1 where ends are worth more than 2.
    """
    for heuristic in heuristics(text):
        game = heuristic.game
        for line, at_once in only_wins(text, seed, positions):
            s = game.initial()
            for action in line:
                s = game.apply(s, action)
            worth = max((heuristic.value(game.apply(s, a)) for a in at_once), key=abs)
            hope = worth / 2
            value = glaux.OnStates(partial(hopeful, hope))
            search = make_search(entry, game, value, {"seed": seed}, heuristic)
            tree = search.run(s, **limits(entry, 1000))
            assert tree.action in at_once, (heuristic.text, game.state_text(s))


def check_proofs(entry: Entry, text: str, seed: int, positions: int = 4) -> None:
    """It proves what exhaustive minimax finds, and its action keeps that result."""
    game, rng = glaux.make(text), random.Random(seed)
    unsolved = 0
    for _ in range(positions):
        while not (late := late_positions(game, rng)):
            continue
        s, expected = rng.choice(late[: 1 + len(late) // 2])
        tree = make_search(entry, game, _core.ZeroValue(), {"seed": seed}).run(s, evaluations=EVALUATIONS)
        if not tree.resolved:  # the witness may be lucky, and see the first win that there is
            assert tree.statistics.evaluations >= EVALUATIONS
            unsolved += 1
            continue
        assert tree.value == expected
        after = game.apply(s, tree.action)
        with suppress(TooLarge):
            kept = worth(game, after) if game.terminal(after) else outcome(game, after, {}, STATES * 10)
            assert kept == expected
    assert unsolved <= 1


def check_limits(entry: Entry, game: Game) -> None:
    """None is passed by more than an iteration; none at all is too little for an answer."""
    s = game.initial()
    for iterations in (1, 3):
        tree = make(entry, game).run(s, iterations=iterations)
        assert tree.statistics.iterations == iterations or tree.resolved
    tree = make(entry, game).run(s, evaluations=500)
    most_in_an_iteration = 2 * game.spec.max_plies * game.spec.max_actions
    assert 500 <= tree.statistics.evaluations < 500 + most_in_an_iteration or tree.resolved
    begun, worked = time.perf_counter(), time.thread_time()
    tree = make(entry, game).run(s, seconds=0.05)
    assert time.perf_counter() - begun >= 0.05 or tree.resolved
    assert time.thread_time() - worked < 0.05 + SLACK  # of its own: a busy machine does not count
    for limit in ("seconds", "iterations", "evaluations"):
        nothing: dict[str, Any] = {limit: 0}
        tree = make(entry, game).run(s, **nothing)
        assert tree.statistics.expansions <= game.spec.max_plies
        assert tree.action in game.actions(s)
    for wrong in ({}, {"seconds": -1}, {"seconds": float("nan")}, {"iterations": -1}, {"evaluations": 2**63}):
        with pytest.raises(InvalidParameter):
            make(entry, game).run(s, **wrong)


def check_memory(entry: Entry, game: Game) -> None:
    """A full table answers, also for states that it lacks, and the budget is kept to the end of a match.

    One that replaces what it has is never full, but is grown as far as it can.
    """
    budget = 1 << 20
    search = make(entry, game, memory=budget)
    s, full = game.initial(), False
    while not game.terminal(s):
        tree = search.run(s, **limits(entry, 50_000))
        assert tree.bytes_used <= budget
        full |= tree.statistics.full or tree.bytes_used > budget // 3
        assert tree.action in game.actions(s)
        s = game.apply(s, tree.action)
    assert full or entry.iterations
    search.clear()
    assert search.native.bytes == 0
    with pytest.raises(InvalidParameter, match="needs a memory budget of at least"):
        make(entry, game, memory=100)
    with pytest.raises(InvalidParameter, match="impossible"):
        make(entry, game, memory=0)


def told(search: Search, s: State, entry: Entry) -> Any:
    tree = search.run(s, **limits(entry, 300))
    return tree.action, tree.value, tree.children(), tree.principal_variation()


def check_reproducible(entry: Entry, game: Game) -> None:
    """Equal seeds give equal searches, also of one that has played a match before; others differ."""

    def plays(search: Search) -> list[Any]:
        after = game.apply(game.initial(), game.actions(game.initial())[0])
        return [told(search, s, entry) for s in (game.initial(), after)]

    first, again = (plays(make_search(entry, game, None, {"seed": 5})) for _ in "ab")
    assert first == again
    drawn = {
        make_search(entry, game, _core.ZeroValue(), {"seed": seed}).run(game.initial(), iterations=1).action
        for seed in range(40)
    }
    assert drawn == set(game.actions(game.initial())), "equal actions are drawn from"
    used = make(entry, game, seed=1)
    plays(used)
    used.begin_match(5)
    assert plays(used) == plays(make(entry, game, seed=5))
    with pytest.raises(InvalidParameter):
        used.begin_match(5, keep=-1)


class Mine(Exception):
    """An exception of the user's."""


def raises(states: Any) -> Any:
    raise Mine("mine")


FAILURES: list[tuple[Any, type[Exception], str]] = [
    (raises, Mine, "mine"),
    (lambda states: np.full(len(states), np.nan), BrokenValue, "not a finite number"),
    (lambda states: np.full(len(states), -np.inf), BrokenValue, "not a finite number"),
    (lambda states: np.zeros(len(states) + 1), BrokenValue, r"gave \d+ values for \d+ states"),
    (lambda states: "text", BrokenValue, "must give an array of .* not str"),
    (lambda states: None, BrokenValue, "must give an array of .* not NoneType"),
]


def check_failures(entry: Entry, game: Game) -> None:
    """A value function that fails is named, and the search goes on with one that works."""
    noise = _core.NoiseValue()
    for function, error, sentence in FAILURES:
        for calls in (0, 7):
            if calls and entry.iterations:
                continue  # it asks once
            left = calls

            def failing(states: Any, function: Any = function) -> Any:
                nonlocal left
                left -= 1
                return noise.evaluate(game.native, states) if left >= 0 else function(states)

            search = make_search(entry, game, glaux.OnStates(failing))
            with pytest.raises(error, match=sentence):
                search.run(game.initial(), **limits(entry, 10_000))
            search.value = noise
            tree = search.run(game.initial(), **limits(entry, 300))
            assert tree.action in game.actions(game.initial())
            assert all(np.isfinite(row.v) for row in tree.children())


def check_learnable(entry: Entry, text: str) -> None:
    """The pairs of a tree: each state once, ends with their worth, and rows to choose from."""
    heuristic = heuristics(text)[-1]
    game = heuristic.game
    search = make_search(entry, game, _core.NoiseValue(), {"seed": 1}, heuristic)
    tree = search.run(game.initial(), **limits(entry, 600), whole=True)
    states, values = tree.learnable()
    assert states.shape == (len(values), game.spec.state_size) and values.dtype == np.float32
    assert len({row.tobytes() for row in states}) == len(states) and np.isfinite(values).all()
    pairs = dict(zip((row.tobytes() for row in states), values.tolist(), strict=True))
    assert pairs[game.initial().data] == pytest.approx(tree.value)
    ends = [s for s in game.states(states) if game.terminal(s)]
    assert all(pairs[s.data] == heuristic.value(s) for s in ends)
    more, _ = tree.learnable(leaves=True)
    assert {row.tobytes() for row in more} >= set(pairs)
    rows, chosen = tree.columns(), tree.choices()
    assert len(chosen.action) and set(chosen.action.tolist()) <= set(rows.action.tolist())
    assert tree.action in chosen.action.tolist()


def check_match(player: str, game: Game) -> None:
    """Against itself, to the end."""
    made = make_player(player, game, 1)
    assert play_match(game, made, made).outcome in (-1, 0, 1)


def check_lock_step(entries: list[Entry], game: Game) -> None:
    """Searches of all kinds that run together do as alone."""
    s = game.initial()
    searches = [make(entry, game, seed=3) for entry in entries]
    together = glaux.run_many(searches, [s] * len(entries), iterations=2)
    for entry, tree in zip(entries, together, strict=True):
        alone = make(entry, game, seed=3).run(s, iterations=2)
        assert (tree.value, tree.action, tree.children()) == (alone.value, alone.action, alone.children())


def check_arguments(entry: Entry, game: Game, other: Game) -> None:
    """What can't be gets one sentence."""
    with pytest.raises(InvalidParameter, match="did you mean 'seed'"):
        make(entry, game, seeed=1)
    with pytest.raises(InvalidParameter, match="value function"):
        make_search(entry, game, 3.5)  # type: ignore[arg-type]
    with pytest.raises(GlauxError, match="seed"):
        make(entry, game, seed=-1)
    with pytest.raises(InvalidState, match="belongs to"):
        make(entry, game).run(other.initial(), iterations=1)
    with pytest.raises(InvalidState, match="The match is over"):
        make(entry, game).run(game.states(game.playouts(game.initial()))[0], iterations=1)
