"""Arguments for calls that nobody should make: right ones, boundary ones and wrong ones, by their type.

:func:`pool` knows a strategy for every type that the stub of the native core names, and takes anything at all
now and then instead. Objects are made afresh for each call, because a call may change them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from hypothesis import strategies as st

import glaux
from glaux import _core
from glaux.search.registry import SEARCHES, make_search

INTEGERS = [0, 1, -1, 2, 3, 7, 8, 64, 255, 256, 65535, 2**31 - 1, 2**31, -(2**31), 2**32, 2**48, 2**63 - 1]
INTEGERS += [2**63, 2**64 - 1, 2**64, -(2**63) - 1, 10**30]
FLOATS = [0.0, -0.0, 0.5, 1.0, -1.0, 1e-300, 1e39, 1e308, -1e308, float("inf"), float("-inf"), float("nan")]
TEXTS = [
    "",
    " ",
    "a1",
    "hex",
    "hex:size=5",
    "\udcff",
    "é" * 3,
    "\uff11\uff12",
    "1_000",
    "nan",
    "\0",
    "x" * 10_000,
]


class Duel(glaux.Rules):
    """A game in Python: two players put up to four stones on four cells."""

    state = np.dtype(("i1", (2, 2)))
    action_count, max_plies, symmetry = 4, 4, "square"

    def first_player(self, s: Any) -> bool:
        return int((s != 0).sum()) % 2 == 0

    def actions(self, s: Any) -> list[int]:
        return [i for i in range(4) if s.ravel()[i] == 0]

    def apply(self, s: Any, action: int) -> None:
        s.reshape(-1)[action] = 1 if self.first_player(s) else 2

    def outcome(self, s: Any) -> int | None:
        return None if (s == 0).any() else 0

    def cells(self, s: Any) -> Any:
        return s


class Liar:
    """Rules that answer everything with something else: never what the core has checked before."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        answers = iter([(0, 2), b"", [3, 1], (7, 9), "text", None, -1, (1, float("nan"), 2, 3), b"\0" * 8])
        return lambda *_: next(answers, None)


GAMES = [
    glaux.make("hex", size=5),
    glaux.make("connect_four"),
    glaux.make("othello", size=6),
    glaux.make("rubik2"),
    glaux.make("hex", size=5, mobility=True),
    glaux.make(Duel),
]
LIAR = Liar()


def states_of(game: glaux.Game, plies: int) -> glaux.State:
    state = game.initial()
    while plies > 0 and not game.terminal(state):
        legal = game.actions(state)
        state, plies = game.apply(state, legal[plies % len(legal)]), plies - 1
    return state


games = st.sampled_from(GAMES)
natives = games.map(lambda game: game.native)
states = st.builds(states_of, games, st.integers(0, 60))
integers = st.sampled_from(INTEGERS) | st.integers(-3, 70)
floats = st.sampled_from(FLOATS) | st.sampled_from([0.01, 0.1, 2.0])
texts = st.sampled_from(TEXTS)
contents = (
    states.map(lambda state: state.data)
    | st.binary(max_size=80)
    | states.flatmap(lambda state: st.binary(min_size=len(state.data), max_size=len(state.data)))
)


def array(dtype: str) -> st.SearchStrategy[Any]:
    """States, noise of their size, and arrays that are nothing of the kind."""
    shapes = st.sampled_from([(0,), (1,), (3,), (0, 0), (2, 8), (0, 8), (5, 16), (2, 3, 4), ()])
    odd = st.builds(lambda shape: np.full(shape, 7, dtype), shapes)
    if dtype != "uint8":
        return odd | st.sampled_from([np.full(n, v, dtype) for n in (1, 2, 3, 4) for v in (0, 1)])
    right = states.flatmap(
        lambda state: st.integers(0, 4).map(
            lambda n: np.frombuffer(state.data * n, np.uint8).reshape(n, len(state.data))
        )
    )
    noise = st.builds(
        lambda game, n, seed: (
            np.random.default_rng(seed).integers(0, 256, (n, game.spec.state_size)).astype(np.uint8)
        ),
        games,
        st.integers(0, 4),
        st.integers(0, 10**6),
    )
    return (
        right | noise | noise.map(lambda rows: rows[::-1]) | noise.map(lambda rows: rows.astype("f4")) | odd
    )


def changed(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Options with some of their fields set to anything that they take."""

    def make(changes: list[tuple[str, Any]]) -> Any:
        made = kind()
        for name, value in changes:
            try:
                setattr(made, name, value)
            except Exception:  # the setters have calls of their own
                continue
        return made

    names = sorted(name for name in vars(kind) if not name.startswith("_"))
    return st.lists(st.tuples(st.sampled_from(names), integers | floats | st.booleans()), max_size=2).map(
        make
    )


def limits() -> st.SearchStrategy[Any]:
    def make(iterations: int, whole: bool) -> _core.Limits:
        made = _core.Limits()
        made.iterations, made.whole = iterations, whole
        return made

    return st.builds(make, st.integers(0, 20), st.booleans()) | changed(_core.Limits)


def searched(name: str, game: glaux.Game, iterations: int) -> _core.Search:
    search = make_search(name, game, None, SEARCHES[name].learning if iterations % 2 else None)
    if iterations:
        search.run(states_of(game, iterations % 3), iterations=iterations)
    return search.native


def asking(search: _core.Search) -> Callable[..., Any]:
    """A value function that uses a search, and keeps what it is given."""
    kept = []

    def function(*arrays: Any) -> Any:
        kept.append(arrays)
        search.clear()
        return np.zeros(len(arrays[0]), np.float32)

    return function


functions = st.sampled_from(
    [
        lambda *arrays: np.zeros(len(arrays[0]), np.float32),
        lambda *arrays: np.full(len(arrays[0]), np.nan, np.float32),
        lambda *arrays: (np.zeros(len(arrays[0]), np.float32), None),
        lambda *_: None,
        lambda *_: 1 / 0,
    ]
)
searches = st.builds(searched, st.sampled_from(list(SEARCHES)), games, st.integers(0, 12))
ntuples = natives.map(lambda game: _core.NTuple(game, [[0, 1], [1, 2]], _core.NTupleOptions()))
patterns = natives.map(lambda game: _core.Patterns(game, [[(0, 0), (0, 1)]], 2, _core.PatternOptions()))
evaluators = (
    st.sampled_from([_core.ZeroValue(), _core.NoiseValue()])
    | ntuples
    | patterns
    | st.builds(_core.PlayoutValue, st.integers(1, 3), st.just(1))
    | st.builds(_core.PythonValue, functions | searches.map(asking), st.booleans(), st.booleans())
)
terminal_values = st.sampled_from(
    [
        _core.TerminalValue(),
        _core.Scoring(),
        _core.AdditiveDepth(50),
        _core.MultiplicativeDepth(20),
        _core.CumulativeMobility(),
        _core.Presence(),
        _core.ScoreAgainst(0.5),
        _core.PythonTerminalValue("mine", lambda *_: 1.0),
        _core.PythonTerminalValue("yours", lambda *_: "much"),
    ]
)
groups = st.lists(st.tuples(st.lists(searches, max_size=3), evaluators), max_size=2)


def _is_a(kind: type[Any], search: _core.Search) -> bool:
    return type(search) is kind


POOL: dict[str, st.SearchStrategy[Any]] = {
    "int": integers,
    "float": floats | integers,
    "bool": st.booleans(),
    "str": texts,
    "bytes": contents,
    "object": integers | texts | st.none(),
    "Game": natives,
    "GameCalls": games,
    "glaux.rules.game.Game": games,
    "State": states,
    "Rng": st.builds(_core.Rng, st.integers(0, 9)),
    "Search": searches,
    "Evaluator": evaluators,
    "TerminalValue": terminal_values,
    "NTuple": ntuples,
    "Patterns": patterns,
    "Sequence[Sequence[tuple[int, int]]]": st.lists(
        st.lists(st.tuples(integers, integers), max_size=3), max_size=3
    ),
    "tuple[Sequence[int], Sequence[int]]": st.tuples(*2 * [st.lists(integers, max_size=5)]),
    "Limits": limits(),
    "Callable": functions | searches.map(asking),
    "Spec": games.map(lambda game: game.spec) | changed(_core.Spec),
    "Board": games.map(lambda game: game.spec.board) | changed(_core.Board),
    "LockStep": st.builds(_core.LockStep, evaluators, st.integers(1, 3), st.booleans()),
    "TdLearner": st.builds(
        lambda game: _core.TdLearner(
            game,
            _core.NTuple(game, [[0, 1]], _core.NTupleOptions()),
            _core.TerminalValue(),
            _core.TdOptions(),
        ),
        natives,
    ),
    "Mapping[str, int]": st.dictionaries(texts | st.sampled_from(["size", "rows"]), integers, max_size=2),
    "Sequence[tuple[Sequence[Search], Evaluator]]": groups,
    "Sequence[Sequence[int]]": st.lists(st.lists(integers, max_size=3), max_size=3),
    "Sequence[int]": st.lists(integers, max_size=5),
    "Sequence[bool]": st.lists(st.booleans(), max_size=5),
    "Sequence[str]": st.lists(texts, max_size=3),
    "Sequence[BoardPart]": st.lists(st.builds(_core.BoardPart, *4 * [st.integers(-1, 3)]), max_size=2),
    "Trusted": st.none(),  # whoever has it vouches for what it gives
}
for _name in ("BestFirst", "AlphaBeta", "Pvs", "Mcts"):
    POOL[_name] = searches.filter(partial(_is_a, getattr(_core, _name)))
anything = integers | floats | texts | contents | array("uint8") | st.none() | natives | states | searches


def pool(annotation: str) -> st.SearchStrategy[Any]:
    """Arguments for a parameter of this type."""
    found = _known(annotation)
    return anything if found is None else st.one_of(found, found, found, anything)


def _known(annotation: str) -> st.SearchStrategy[Any] | None:
    dtypes = re.search(r"NDArray\[numpy\.(\w+)\]", annotation)
    if annotation in POOL:
        return POOL[annotation]
    if " | " in annotation and "[" not in annotation:
        parts = [_known(part) for part in annotation.split(" | ") if part != "None"]
        return st.one_of(*(part for part in parts if part is not None))
    return array(dtypes[1]) if dtypes else _of_class(getattr(_core, annotation, None))


def _of_class(kind: Any) -> st.SearchStrategy[Any] | None:
    """Members of an enumeration, and options."""
    if hasattr(kind, "__members__"):
        return st.sampled_from(list(kind.__members__.values()))
    try:
        kind()
    except TypeError:
        return None
    return changed(kind)
