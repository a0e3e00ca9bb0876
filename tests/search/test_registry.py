"""The registry of searches: whole, in step with the docs, and read by all."""

from __future__ import annotations

import inspect
import runpy
import subprocess
import sys
from contextlib import nullcontext
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import glaux
from glaux import _core
from glaux.bench.search import algorithm, algorithms
from glaux.errors import InvalidParameter, UnknownName
from glaux.fields import help_of
from glaux.learn.athenan import SearchSettings
from glaux.players.registry import make_player, players
from glaux.players.searching import SearchPlayer
from glaux.search import alpha_beta, best_first, mcts, puct
from glaux.search.heuristics import make_heuristic
from glaux.search.registry import ALIASES, SEARCHES, VALUES, find_search, make_search, offered
from glaux.search.search import Search

GAME = glaux.make("connect_four:rows=4,columns=4")


def concrete(cls: type[Search]) -> set[type[Search]]:
    below = cls.__subclasses__()
    return set().union(*(concrete(sub) for sub in below)) if below else {cls}


def test_every_search_class_is_in_the_registry() -> None:
    package = {cls for cls in concrete(Search) if cls.__module__.startswith("glaux.")}
    assert package == {entry.search for entry in SEARCHES.values()}


@pytest.mark.parametrize("name", SEARCHES)
def test_an_entry_is_whole(name: str) -> None:
    entry = SEARCHES[name]
    assert entry.name == name and name not in ALIASES
    assert entry.title and entry.summary
    assert Path(f"docs/algorithms/{entry.page}.md").is_file()
    assert entry.value in VALUES and (entry.measured is None or entry.measured.value in VALUES)
    for option in fields(entry.options):
        assert help_of(option), option.name
    assert inspect.getmodule(entry.search) == inspect.getmodule(type(entry.options)) or name == "greedy"


def test_all_read_it() -> None:
    assert set(SEARCHES) < set(players())
    assert algorithms() == [name for name, entry in SEARCHES.items() if entry.measured]
    for name, entry in SEARCHES.items():
        with nullcontext() if entry.learns else pytest.raises(InvalidParameter, match=r"search\.algorithm"):
            SearchSettings(algorithm=name, iterations=1)
    assert {entry.name for entry in offered()} <= set(SEARCHES)


@pytest.mark.parametrize("name", ALIASES)
def test_names_of_before_are_understood(name: str) -> None:
    assert find_search(name) is SEARCHES[ALIASES[name]] is algorithm(name)[0]
    assert make_player(f"{name}:iterations=5", GAME, 1).choose(GAME.initial()) in range(4)


def test_the_pages_say_what_the_registry_says() -> None:
    script = runpy.run_path("docs/algorithms/make_options.py")
    for path, text in script["pages"]().items():
        assert path.read_text() == text, f"{path} is stale: python docs/algorithms/make_options.py"


def test_the_registry_is_light() -> None:
    program = "import sys, glaux.search.registry; print({'torch', 'scipy', 'onnxruntime'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert done.stdout == "set()\n"


def test_wrong_names() -> None:
    with pytest.raises(UnknownName, match="There is no search 'mtcs': did you mean 'mcts'"):
        make_search("mtcs", GAME)
    with pytest.raises(InvalidParameter, match="has no setting 'sede': did you mean 'seed'"):
        make_search("mcts", GAME, None, {"sede": 1})
    with pytest.raises(InvalidParameter, match="memory must be a whole number, not 'much'"):
        make_search("ubfm", GAME, None, {"memory": "much"})


def test_numbers_of_numpy_are_numbers() -> None:
    search = glaux.UBFM(GAME, seed=np.int64(3), memory=1e8, completion=np.bool_(False))
    assert not search.run(GAME.initial(), iterations=3).resolved


# What a value function has learned to be the worth of an end


class InDepth:
    """A value function that has learned with the additive depth, and hopes for a late win everywhere."""

    def __init__(self, game: glaux.Game, hope: float) -> None:
        self.game, self.hope = game, hope
        self.heuristic = "additive_depth"

    def __call__(self, planes: np.ndarray) -> np.ndarray:
        return np.full(len(planes), self.hope, np.float32)


WIN_AT_ONCE = "1 2 1 2 1 2"
"""the first player has three in the first column of 4x4 Connect Four"""


@pytest.mark.parametrize("name", SEARCHES)
def test_a_win_at_once_is_worth_what_was_learned(name: str) -> None:
    """Seven plies into the match a win is worth 16 - 7 + 1 = 10; a hope of 8 must not seem to be more."""
    state = GAME.play(WIN_AT_ONCE)
    value = InDepth(GAME, 8.0)
    options = {"completion": False} if "completion" in SEARCHES[name].option_names else {}
    for seed in range(5):
        search = make_search(name, GAME, value, {**options, "seed": seed})
        tree = search.run(state, iterations=SEARCHES[name].iterations or 50)
        assert tree.action == 0
        assert next(row.v for row in tree.children() if row.action == 0) == 10


@pytest.mark.parametrize("name", SEARCHES)
def test_playouts_are_worth_what_ends_are(name: str) -> None:
    """The mean worth of the ends of the same random matches."""
    heuristic = make_heuristic(GAME, "additive_depth")
    player = make_player(f"{name}:value=playouts,playouts=50,heuristic=additive_depth,seed=3", GAME, 1)
    assert isinstance(player, SearchPlayer) and isinstance(player.search.value, _core.Evaluator)
    start = GAME.array([GAME.initial()])
    ends = GAME.playouts(GAME.initial(), 50, seed=3)
    worth = pytest.approx([heuristic.values(ends).mean()])
    assert player.search.value.evaluate(GAME.native, start) == worth
    made = VALUES["playouts"](50, 3)
    assert made.evaluate(GAME.native, start) != worth, "the gain, where nothing else is said"


@pytest.mark.parametrize("name", ["mcts", "wrap", "puct"])
def test_constants_of_exploration_are_in_the_unit_of_the_values(name: str) -> None:
    """A search of values and ends that are all k times as large is the same search."""
    heuristic = make_heuristic(GAME, "additive_depth")
    options = {"batch": 4, "c_base": 30.0} if name == "puct" else {}
    unit = make_search(name, GAME, InDepth(GAME, 8.0), {"seed": 1, **options})
    exploration = {"mcts": 0.4, "wrap": 1.0, "puct": 1.25}[name]
    other = {"wrap": ["temperature"], "puct": ["c_log", "virtual_loss"]}.get(name, [])
    by_hand = SEARCHES[name].search(
        GAME,
        InDepth(GAME, 8.0),
        terminal_value=heuristic.native,
        **options,
        seed=1,
        c=exploration * heuristic.scale,
        **dict.fromkeys(other, heuristic.scale),
    )
    trees = [search.run(GAME.initial(), iterations=500) for search in (unit, by_hand)]
    assert trees[0].children() == trees[1].children()
    assert heuristic.scale == 16


def test_options_sit_beside_their_search() -> None:
    assert glaux.AlphaBeta(GAME, None, 3).run(GAME.initial()).statistics.depth == 3
    for module in (best_first, alpha_beta, mcts, puct):
        assert any(name.endswith("Options") for name in vars(module))
    terminal_value = make_heuristic(GAME, "additive_depth").native
    tree = glaux.AlphaBeta(GAME, _core.ZeroValue(), 1, terminal_value=terminal_value).run(
        GAME.play(WIN_AT_ONCE)
    )
    assert tree.value == 10
