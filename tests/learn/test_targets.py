"""Targets: a small tree by hand, and whole matches against the transcriptions of the paper's searches."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import glaux
from glaux import Game, State
from glaux.errors import InvalidParameter
from glaux.learn.targets import RootLearning, Targets, TerminalLearning, TreeLearning, make_targets
from glaux.search.registry import SEARCHES, make_search
from glaux.values.examples import Examples
from tests.learn.small import small
from tests.search import transcription as search_paper
from tests.search.transcription import Tables

EXAMPLE = Path("docs/examples/tic_tac_toe.py")


# By hand


class Lattice(glaux.Rules):
    """A game that is a picture; the states e and h are reached in two ways.

    ::

        a -> b c        the first player; f(b) = .5, f(c) = .4
        b -> d e        the second; d is a draw, f(e) = .3
        c -> e f        the second; f(f) = .2
        e -> g h        the first; g is a loss, h a draw
        f -> h i        the first; f(i) = .1
        i -> j k        the second; j is a loss, k a win

    With ``mirrored`` the players change places, and so do wins and losses.
    """

    state = "i4"
    action_count = 2
    max_plies = 4
    symbols = "abcdefghijk"
    children: ClassVar[dict[str, str]] = {"a": "bc", "b": "de", "c": "ef", "e": "gh", "f": "hi", "i": "jk"}
    results: ClassVar[dict[str, int]] = {"d": 0, "g": -1, "h": 0, "j": -1, "k": 1}
    f_theta: ClassVar[dict[str, float]] = {"b": 0.5, "c": 0.4, "e": 0.3, "f": 0.2, "i": 0.1}

    def __init__(self, mirrored: bool = False) -> None:
        self.sign = -1 if mirrored else 1

    def name_of(self, s: Any) -> str:
        return self.symbols[int(s)]

    def first_player(self, s: Any) -> bool:
        return (self.name_of(s) in "aefgh") == (self.sign == 1)

    def actions(self, s: Any) -> Any:
        return [0, 1]

    def apply(self, s: Any, action: int) -> None:
        s[...] = self.symbols.index(self.children[self.name_of(s)][action])

    def outcome(self, s: Any) -> int | None:
        result = self.results.get(self.name_of(s))
        return None if result is None else self.sign * result

    def cells(self, s: Any) -> Any:
        return [[int(s)]]


class Played:
    """A lattice, a search of it with the values of the picture, and names for its states."""

    def __init__(self, mirrored: bool, kind: type[glaux.Descent] | type[glaux.UBFM] = glaux.Descent) -> None:
        self.sign = -1 if mirrored else 1
        self.game = glaux.make(Lattice, mirrored=mirrored)
        self.search = kind(self.game, glaux.OnStates(self.values), random_ties=False)

    def name(self, state: State) -> str:
        return Lattice.symbols[int(self.game.cells(state)[0, 0])]

    def values(self, states: np.ndarray) -> np.ndarray:
        return np.array([self.sign * Lattice.f_theta[self.name(s)] for s in self.game.states(states)])

    def state(self, path: str) -> State:
        state = self.game.initial()
        for a, b in itertools.pairwise(path):
            state = self.game.apply(state, Lattice.children[a].index(b))
        return state

    def run(self, path: str, iterations: int = 1) -> glaux.Tree:
        return self.search.run(self.state(path), iterations=iterations)

    def named(self, examples: Examples) -> list[tuple[str, float]]:
        """Who was learned, with the value as the player who moves from a sees it."""
        states, values = examples["states"], examples["values"]
        assert states.dtype == np.uint8
        assert states.flags.writeable
        assert values.dtype == np.float32
        names = [self.name(s) for s in self.game.states(states)]
        return sorted(zip(names, (self.sign * values).round(6).tolist(), strict=True))


mirrored = pytest.mark.parametrize("mirrored", [False, True])


@mirrored
def test_targets_of_a_match_by_hand(mirrored: bool) -> None:
    """The match a c e h, with one iteration of completed Descent for each action.

    From a: b looks best, then e, whose ends are g and h: e is a proven draw, and so is b by d and e.
    v(a) is the .4 of c, which was not entered. From c: e is seen as .3 through this new edge, so f is
    the second player's best; i is a proven loss by j, so f is a proven draw by h, and v(c) = 0.
    """
    played = Played(mirrored)
    tree, root, terminal = TreeLearning(), RootLearning(), TerminalLearning()
    for path in ("a", "ac", "ace"):
        found = played.run(path)
        for targets in (tree, root, terminal):
            targets.observe(found)
    end = played.state("aceh")
    ask: Callable[[Targets], list[tuple[str, float]]] = lambda targets: played.named(  # noqa: E731
        targets.examples(played.search, end, 0.0)
    )
    expected = {"a": 0.4, "b": 0, "c": 0, "d": 0, "e": 0, "f": 0, "g": -1, "h": 0, "i": -1, "j": -1, "k": 1}
    assert ask(tree) == sorted((name, pytest.approx(v)) for name, v in expected.items())
    assert ask(root) == [("a", pytest.approx(0.4)), ("c", 0.0), ("e", 0.0), ("h", 0.0)]
    assert ask(terminal) == [("a", 0.0), ("c", 0.0), ("e", 0.0), ("h", 0.0)]


@mirrored
def test_leaves_that_are_not_terminal_are_not_learned(mirrored: bool) -> None:
    """After one iteration c, f and i have only a value of f_theta; a match that ends elsewhere is added."""
    played = Played(mirrored)
    played.run("a")
    pairs = played.named(TreeLearning().examples(played.search, played.state("aceh"), 0.0))
    assert [name for name, _ in pairs] == list("abdegh")
    # The same table, but the match went where the search did not look.
    pairs = played.named(TreeLearning().examples(played.search, played.state("acfij"), played.sign * -7.0))
    assert pairs == [
        ("a", pytest.approx(0.4)), ("b", 0), ("d", 0), ("e", 0), ("g", -1), ("h", 0), ("j", -7.0)
    ]  # fmt: skip


@mirrored
def test_the_end_of_the_match_has_its_own_value(mirrored: bool) -> None:
    played = Played(mirrored)
    played.run("a")
    pairs = played.named(TreeLearning().examples(played.search, played.state("abeg"), played.sign * -3.0))
    assert ("g", -3.0) in pairs
    assert len(pairs) == 6
    played.search.clear()
    assert played.named(TreeLearning().examples(played.search, played.state("abd"), 0.0)) == [("d", 0.0)]


@mirrored
def test_root_learning_keeps_the_value_of_the_time(mirrored: bool) -> None:
    played = Played(mirrored)
    root = RootLearning()
    root.observe(played.run("a"))
    root.observe(played.run("a", iterations=0))  # the same again: D is a set
    assert played.run("a", iterations=5).value == 0.0  # c is worth less than it seemed
    pairs = root.examples(played.search, played.state("abd"), 0.0)
    assert played.named(pairs) == [("a", pytest.approx(0.4)), ("d", 0.0)]


@pytest.mark.parametrize("make", [RootLearning, TerminalLearning])
def test_an_object_serves_one_match_after_the_other(make: type[Targets]) -> None:
    played, targets = Played(False), make()
    for match in ("abd", "aceh"):
        played.search.clear()
        for plies in range(1, len(match)):
            targets.observe(played.run(match[:plies]))
        pairs = played.named(targets.examples(played.search, played.state(match), 0.0))
        assert "".join(name for name, _ in pairs) == match


def test_terminal_learning_gives_all_states_the_value_of_the_end() -> None:
    played, targets = Played(False), TerminalLearning()
    for path in ("a", "ac", "acf", "acfi"):
        targets.observe(played.run(path))
        targets.observe(played.run(path))  # G is a set
    pairs = played.named(targets.examples(played.search, played.state("acfik"), 2.5))
    assert pairs == [(name, 2.5) for name in "acfik"]


# Whole matches


def scripted(game: Game) -> Callable[[State], float]:
    return lambda s: (game.hash(s) >> 33) % 7 / 4 - 0.75


ITERATIONS = {
    "ubfm": (search_paper.ubfms_iteration, glaux.UBFM),
    "descent": (search_paper.completed_descent_iteration, glaux.Descent),
}


@pytest.mark.parametrize("name", ITERATIONS)
@pytest.mark.parametrize(
    "text, opening",
    [
        ("othello:size=4", ""),  # passes, scores, long ends
        ("connect_four:rows=4,columns=4,length=3", ""),
        ("hex:size=3", ""),
        (str(EXAMPLE), "b2 a1"),  # draws
    ],
)
def test_whole_matches_against_plain_dictionaries(text: str, opening: str, name: str) -> None:
    """Algorithms 3, 4 and 5 with dictionaries, next to the three targets, over a match each."""
    game = glaux.make(text)
    iteration, kind = ITERATIONS[name]
    f_theta = scripted(game)
    value = glaux.OnStates(lambda states: np.array([f_theta(s) for s in game.states(states)]))
    rng = np.random.default_rng(1)
    ends = set()
    for _ in range(6):
        search = kind(game, value, random_ties=False)
        tables = Tables(game, f_theta, lambda s: float(game.outcome(s) or 0))
        ours = {name: make_targets(name) for name in ("tree", "root", "terminal")}
        roots: dict[State, float] = {}
        s = game.play(opening)
        while not game.terminal(s):
            for _ in range(4):
                if tables.r.get(s, 0) == 0 or s not in tables.S:
                    iteration(s, tables)
            tree = search.run(s, iterations=4)
            for targets in ours.values():
                targets.observe(tree)
            roots[s] = tables.v[s]
            s = game.apply(s, int(rng.choice(game.actions(s))))
        f_t = tables.f_t(s)
        ends.add(f_t)
        expected = {
            "tree": {state: tables.v[state] for state in tables.S} | {s: f_t},
            "root": roots | {s: f_t},
            "terminal": dict.fromkeys([*roots, s], f_t),
        }
        for kind_of, targets in ours.items():
            examples = targets.examples(search, s, f_t)
            found = dict(zip(game.states(examples["states"]), examples["values"].tolist(), strict=True))
            assert len(found) == len(examples), "each state once"
            assert found == pytest.approx(expected[kind_of])
    assert len(ends) > 1


# Other searches, mistakes


def test_root_and_terminal_learning_take_any_search() -> None:
    game = glaux.make("connect_four:rows=4,columns=4,length=3")
    for search in (glaux.MCTS(game, seed=1), glaux.AlphaBeta(game, depth=2)):
        root, terminal = make_targets("root"), make_targets("terminal")
        s, values = game.initial(), []
        while not game.terminal(s):
            tree = search.run(s, iterations=20)
            root.observe(tree)
            terminal.observe(tree)
            values.append(tree.value)
            s = game.apply(s, tree.action)
        learned = root.examples(search, s, 1.0)
        states = learned["states"]
        assert learned["values"].tolist() == pytest.approx([*values, 1.0])
        assert game.states(states)[0] == game.initial()
        assert game.states(states)[-1] == s
        ends = terminal.examples(search, s, 1.0)
        assert np.array_equal(ends["states"], states)
        assert (ends["values"] == 1.0).all()


@pytest.mark.parametrize("name", [name for name, entry in SEARCHES.items() if entry.learns])
def test_tree_learning_takes_any_search_that_learns(name: str) -> None:
    game = glaux.make("connect_four:rows=4,columns=4,length=3")
    search = make_search(name, game)
    targets, with_leaves = TreeLearning(), TreeLearning(leaves=True)
    s = game.initial()
    while not game.terminal(s):
        s = game.apply(s, search.run(s, iterations=20, whole=True).action)
    found, more = (one.examples(search, s, 0.5) for one in (targets, with_leaves))
    states = found["states"].tolist()
    assert states.count(list(s.data)) == 1 and len({tuple(state) for state in states}) == len(found) > 1
    assert found["values"][states.index(list(s.data))] == 0.5
    assert {tuple(state) for state in states} <= {tuple(state) for state in more["states"].tolist()}
    if name in ("ubfm", "descent"):
        assert len(more) > len(found)


def test_learnings_by_name() -> None:
    with pytest.raises(InvalidParameter, match="no learning 'rot': did you mean 'root'"):
        make_targets("rot")
    leaves: Any = make_targets("tree", leaves=True)
    assert leaves.leaves
    for name in ("root", "terminal"):
        with pytest.raises(InvalidParameter, match=f"Only tree learning .* not {name} learning"):
            make_targets(name, leaves=True)
        with pytest.raises(InvalidParameter, match="Only tree learning"):
            small(targets=name, leaves=True)
