import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import glaux
from glaux import _core
from glaux.errors import InvalidParameter, InvalidState
from glaux.search.registry import SEARCHES, make_search
from glaux.values.examples import Examples
from glaux.values.ntuple import Learning
from glaux.values.tuples import random_walks
from tests.values.positions import positions, sign_accuracy, terminal_pairs
from tests.values.reference_ntuple import ReferenceNTuple

GAMES = glaux.games()


def filled(network: glaux.NTupleNetwork, seed: int = 0, size: float = 0.05) -> glaux.NTupleNetwork:
    """The network with random tables."""
    shape = network.weights()["weights"].shape
    weights = np.random.default_rng(seed).normal(0, size, shape).astype(np.float32)
    network.restore({"weights": weights}, {})
    return network


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("output", "scale", "per_player"), [("tanh", 1, True), ("identity", 64, False)])
def test_values_are_the_reference_s(name: str, output: str, scale: float, per_player: bool) -> None:
    game = glaux.make(name)
    network = filled(
        glaux.NTupleNetwork(game, count=7, length=3, output=output, scale=scale, per_player=per_player)
    )
    reference = ReferenceNTuple(network)
    for state in positions(game, 12, seed=3):
        found = network.native.indices(game.native, game.array(state))[0]
        assert found.tolist() == reference.indices(state)
        assert network.evaluate(state)[0] == pytest.approx(reference.value(state), abs=2e-6 * scale)


@pytest.mark.parametrize(
    "name", ["connect_four", "connect_four:rows=9,columns=8", "othello", "othello:size=10"]
)
@pytest.mark.parametrize("use_pext", [True, False])
def test_cells_that_can_be_reached_have_a_code_of_their_own(name: str, use_pext: bool) -> None:
    game = glaux.make(name)
    network = filled(glaux.NTupleNetwork(game, count=7, length=4, reachable=True, use_pext=use_pext))
    assert network.weight_count == 2 * 7 * 4**4
    reference = ReferenceNTuple(network)
    for state in positions(game, 12, seed=3):
        found = network.native.indices(game.native, game.array(state))[0]
        assert found.tolist() == reference.indices(state)
        children = [game.apply(state, action) for action in game.actions(state)]
        if children:
            values = network.native.evaluate_children(game.native, state.data, game.array(children))
            assert values.tolist() == pytest.approx([reference.value(child) for child in children], abs=2e-6)
    assert glaux.NTupleNetwork.make(game, network.settings()).settings() == network.settings()


def test_networks_have_the_paper_s_sizes() -> None:
    # Table I of the MCTS-wrapper paper
    othello = glaux.NTupleNetwork(glaux.make("othello"), count=100, length=7, reachable=True)
    assert othello.weight_count == 3_276_800
    connect_four = glaux.NTupleNetwork(glaux.make("connect_four"), count=70, length=8, reachable=True)
    assert connect_four.weight_count == 9_175_040


def test_other_games_have_no_reachable_cells() -> None:
    with pytest.raises(InvalidParameter, match="Hex does not say which empty cells are reachable"):
        glaux.NTupleNetwork(glaux.make("hex"), reachable=True)


@pytest.mark.parametrize("rule", ["sgd", "coherence_identity", "coherence_exponential"])
@pytest.mark.parametrize(("output", "scale"), [("tanh", 1), ("identity", 36)])
def test_learning_is_the_reference_s(rule: str, output: str, scale: float) -> None:
    game = glaux.make("othello", size=6)
    learning = Learning(rule=rule, alpha=0.5)
    # 41 tuples of 8 symmetries are more slots than the native core changes together.
    network = filled(
        glaux.NTupleNetwork(game, count=41, length=4, output=output, scale=scale, learning=learning)
    )
    reference = ReferenceNTuple(network)
    states = positions(game, 200, seed=5)
    targets = np.random.default_rng(5).uniform(-scale, scale, len(states)).astype(np.float32)
    for state, target in zip(states, targets, strict=True):
        reference.learn(state, float(target))
    network.fit(states, targets, shuffle=False)
    np.testing.assert_allclose(network.weights()["weights"], reference.w, rtol=0, atol=5e-6)
    if rule != "sgd":
        counters = network.optimizer()["counters"]
        np.testing.assert_allclose(counters[..., 0], reference.n, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(counters[..., 1], reference.a, rtol=1e-4, atol=1e-5)


def test_temporal_coherence_slows_down_where_changes_disagree() -> None:
    # A rule without draws or symmetries, worked out by hand: r is the error, g = |N| / A from before.
    class One(glaux.Rules):
        """A cell that is filled."""

        state = np.dtype([("full", np.uint8)])
        action_count = 1
        max_plies = 1
        symbols = (".", "X")

        def initial(self):
            return np.zeros((), self.state)

        def actions(self, s):
            return [0]

        def apply(self, s, action):
            s["full"] = 1
            return s

        def first_player(self, s):
            return True

        def outcome(self, s):
            return 1 if s["full"] else None

        def cells(self, s):
            return [[s["full"]]]

    game = glaux.make(One)
    learning = Learning(rule="coherence_identity", alpha=0.1, init=0.5)
    network = glaux.NTupleNetwork(game, [[0]], output="identity", learning=learning)
    state = game.array(game.initial())
    table = [
        # target, then w, N and A after the step
        (1, 0.1, 1.5, 1.5),  # r = 1, g = 1
        (1, 0.19, 2.4, 2.4),  # r = 0.9, g = 1
        (-1, 0.071, 1.21, 3.59),  # r = -1.19, g = 1
        (-1, 0.034902, 0.139, 4.661),  # r = -1.071, g = 1.21 / 3.59
    ]
    for target, w, n, a in table:
        network.learn(Examples({"states": state, "values": np.array([target], np.float32)}))
        assert network.weights()["weights"][0, 0] == pytest.approx(w, abs=1e-6)
        assert network.optimizer()["counters"][0, 0].tolist() == pytest.approx([n, a], abs=1e-6)
    assert network.weights()["weights"][0, 1] == 0


def test_counters_that_would_divide_by_zero_are_refused() -> None:
    game = glaux.make("connect_four")
    network = glaux.NTupleNetwork(game, count=3, length=3)
    network.fit(game.initial(), [1])
    arrays = network.optimizer()
    network.restore(network.weights(), arrays)
    arrays["counters"][0, 0, 1] = 0
    with pytest.raises(InvalidParameter, match="must be above 0"):
        network.restore(network.weights(), arrays)


@pytest.mark.parametrize("name", GAMES)
def test_symmetric_states_have_equal_values(name: str) -> None:
    game = glaux.make(name)
    network = filled(glaux.NTupleNetwork(game, count=20, length=3))
    for state in positions(game, 10, seed=1):
        seen = [game.transform(state, i) for i in range(game.spec.symmetry_count)]
        np.testing.assert_allclose(network.evaluate(seen), network.evaluate(state)[0], atol=1e-6)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("per_player", [True, False])
def test_incremental_equals_full(name: str, per_player: bool, seed: int) -> None:
    game = glaux.make(name)
    network = filled(glaux.NTupleNetwork(game, per_player=per_player), size=0.2)
    for state in positions(game, 150, seed=seed):
        if game.terminal(state):
            continue
        children = game.expand(state).children
        full = network.evaluate(children)
        incremental = network.native.evaluate_children(game.native, bytes(state), children)
        np.testing.assert_allclose(incremental, full, rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", GAMES)
def test_portable_and_pext_are_bit_equal(name: str) -> None:
    if not _core.processor_has_fast_pext():
        pytest.skip("this processor has no fast pext")
    game = glaux.make(name)
    fast, portable = (glaux.NTupleNetwork(game, use_pext=use, seed=4) for use in (True, False))
    assert fast.native.uses_pext and not portable.native.uses_pext
    states = game.array(positions(game, 200, seed=2))
    values = np.random.default_rng(0).normal(0, 0.5, len(states)).astype(np.float32)
    for network in (fast, portable):
        network.fit(states, values)
    assert (fast.native.indices(game.native, states) == portable.native.indices(game.native, states)).all()
    assert fast.evaluate(states).tobytes() == portable.evaluate(states).tobytes()
    assert fast.weights()["weights"].tobytes() == portable.weights()["weights"].tobytes()


def test_an_index_that_two_symmetries_share_changes_once() -> None:
    game = glaux.make("othello", size=6)
    network = glaux.NTupleNetwork(
        game, [[14, 15]], output="identity", learning=Learning(rule="sgd", alpha=8), per_player=False
    )
    # Of the initial board's centre the tuple sees (O, X) or (X, O), each through four symmetries.
    network.fit(game.initial(), [1.0])
    changed = network.weights()["weights"][0]
    assert sorted(changed[changed != 0].tolist()) == [1.0, 1.0]


def test_a_python_game_learns_from_its_cells() -> None:
    game = glaux.make("docs/examples/tic_tac_toe.py")
    network = glaux.NTupleNetwork(game, count=10, length=4)
    states = [s for s in positions(game, 60, seed=1, terminal=True) if game.outcome(s)]
    fit = network.fit(states, [game.outcome(s) or 0 for s in states], epochs=30)
    assert fit.loss < 0.1
    tree = glaux.UBFM(game, network, seed=1).run(game.initial(), iterations=50)
    assert tree.action in game.actions(game.initial())


@pytest.mark.parametrize(("name", "parameters"), [("othello", {"size": 6}), ("hex", {"size": 5})])
def test_learns_who_has_won(name: str, parameters: dict[str, int]) -> None:
    game = glaux.make(name, **parameters)
    # Tables of each player to move would give it away: whoever has just moved has won at Hex.
    network = glaux.NTupleNetwork(game, per_player=False)
    network.fit(*terminal_pairs(game, 40_000, seed=1))
    accuracy = sign_accuracy(network, *terminal_pairs(game, 4_000, seed=2))
    assert accuracy > 0.95  # when this was written: 1.000 for Othello 6x6, 0.985 for Hex 5


def test_a_search_uses_the_network() -> None:
    game = glaux.make("connect_four")
    network = filled(glaux.NTupleNetwork(game), seed=9)
    for name in SEARCHES:
        tree = make_search(name, game, network).run(game.initial(), evaluations=2000)
        assert tree.action in range(7)
    # The children of the root carry the network's own values before anything else is known.
    tree = glaux.UBFM(game, network).run(game.initial(), iterations=1)
    expansion = game.expand(game.initial())
    np.testing.assert_allclose(
        [row.v for row in tree.children()], network.evaluate(expansion.children), atol=1e-6
    )


def test_searches_in_lock_step_share_the_time() -> None:
    game = glaux.make("othello")
    network = filled(glaux.NTupleNetwork(game))
    searches = [glaux.UBFM(game, network, seed=i) for i in range(3)]
    trees = glaux.run_many(searches, [game.initial()] * 3, seconds=0.3)
    counts = [tree.statistics.expansions for tree in trees]
    assert min(counts) >= 0.5 * max(counts) - 1


def test_threads_learn_at_once_without_waiting() -> None:
    game = glaux.make("connect_four")
    states, values = terminal_pairs(game, 2000, seed=1)
    network = glaux.NTupleNetwork(game)
    before = float(np.mean((network.evaluate(states) - values) ** 2))

    def learn(seed: int) -> None:
        network.fit(states, values, epochs=3, batch_size=100, seed=seed)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(learn, range(4)))
    assert network.learned == 4 * 3 * len(values)
    assert np.isfinite(network.weights()["weights"]).all()
    assert float(np.mean((network.evaluate(states) - values) ** 2)) < before / 10


def test_copy_goes_its_own_way() -> None:
    game = glaux.make("connect_four")
    network = glaux.NTupleNetwork(game)
    states = positions(game, 50)
    network.fit(states, np.ones(50))
    twin = network.copy()
    before = network.evaluate(states)
    assert twin.evaluate(states).tobytes() == before.tobytes()
    assert twin.learned == network.learned == 50
    twin.fit(states, -np.ones(50))
    assert network.evaluate(states).tobytes() == before.tobytes()
    assert (twin.evaluate(states) < before).all()


@pytest.mark.parametrize(
    ("name", "symmetries"), [("othello", 1), ("othello", 4), ("rubik2", 1), ("rubik2", 4), ("rubik3", 12)]
)
@pytest.mark.parametrize("use_pext", [True, False])
def test_a_network_may_use_some_of_the_symmetries(name: str, symmetries: int, use_pext: bool) -> None:
    game = glaux.make(name)
    learning = Learning(rule="coherence_identity", alpha=0.5)
    network = filled(
        glaux.NTupleNetwork(
            game, count=8, length=4, symmetries=symmetries, learning=learning, use_pext=use_pext
        )
    )
    reference = ReferenceNTuple(network)
    assert f" {symmetries} symmetr" in network.describe()
    states = positions(game, 20, seed=3)
    for state in states:
        found = network.native.indices(game.native, game.array(state))[0]
        assert found.tolist() == reference.indices(state)
        if not game.terminal(state):
            children = game.expand(state).children
            incremental = network.native.evaluate_children(game.native, bytes(state), children)
            np.testing.assert_allclose(incremental, network.evaluate(children), rtol=0, atol=1e-6)
    for state in states:
        reference.learn(state, 0.5)
    network.fit(states, np.full(len(states), 0.5), shuffle=False)
    np.testing.assert_allclose(network.weights()["weights"], reference.w, rtol=0, atol=5e-6)


@pytest.mark.parametrize(
    ("name", "count", "weights"), [("rubik2", 60, 3_720_780), ("rubik3", 120, 46_563_392)]
)
def test_tuples_of_the_cubes(name: str, count: int, weights: int) -> None:
    game = glaux.make(name)
    columns = game.spec.board.columns
    corners = 7 if name == "rubik2" else 8
    sizes = []
    for seed in range(20):
        tuples = random_walks(game, count, 7, seed)
        assert all(len({cell % columns < corners for cell in cells}) == 1 for cells in tuples)
        assert any(min(cells) < columns <= max(cells) for cells in tuples), "ids and twists go together"
        sizes.append(float(sum(math.prod(game.spec.code_count(c) for c in cells) for cells in tuples)))
    # The paper's network (Table I of the MCTS-wrapper paper) is one like ours.
    assert abs(np.mean(sizes) - weights) < 2 * np.std(sizes)


@given(st.integers(0, 2**32), st.sampled_from(GAMES), st.integers(1, 6))
def test_random_walks_are_connected_and_differ(seed: int, name: str, length: int) -> None:
    game = glaux.make(name)
    neighbours = game.spec.cell_neighbours()
    tuples = random_walks(game, 8, length, seed)
    images = set()
    for cells in tuples:
        assert cells == sorted(set(cells)) and len(cells) == length
        reached = {cells[0]}
        for _ in cells:
            reached |= {cell for member in reached for cell in neighbours[member]} & set(cells)
        assert reached == set(cells)
        maps = game.spec.symmetries or [game.spec.board.identity()]
        images.add(min(tuple(sorted(m[c] for c in cells)) for m in maps))
    assert len(images) == len(tuples) or length <= 2


def test_bad_input() -> None:
    game = glaux.make("connect_four")
    network = glaux.NTupleNetwork(game, count=3, length=3)
    states = positions(game, 4)
    for make, message in [
        (lambda: glaux.NTupleNetwork(game, [[0, 42]]), "names the cell 42, but connect_four.* 0 to 41"),
        (lambda: glaux.NTupleNetwork(game, [[-1]]), "names the cell -1"),
        (lambda: glaux.NTupleNetwork(game, [[1, 1]]), "names a cell twice"),
        (lambda: glaux.NTupleNetwork(game, []), "at least one tuple"),
        (lambda: glaux.NTupleNetwork(game, ["ab"]), "A tuple must be a list of cells"),  # type: ignore[list-item]
        (lambda: glaux.NTupleNetwork(game, length=17), "1 to 16 cells here, not 17"),
        (lambda: glaux.NTupleNetwork(game, count=0), "1 to 10,000 tuples"),
        (lambda: glaux.NTupleNetwork(game, [[0]], count=1), "either the tuples"),
        (lambda: glaux.NTupleNetwork(game, symmetries=0), "1 to 2 symmetries, not 0"),
        (lambda: glaux.NTupleNetwork(game, symmetries=3), "1 to 2 symmetries, not 3"),
        (lambda: glaux.NTupleNetwork(game, symmetries="all"), "1 to 2 symmetries"),  # type: ignore[arg-type]
        (lambda: glaux.NTupleNetwork(game, output="relu"), "There is no output 'relu'"),
        (lambda: glaux.NTupleNetwork(game, scale=0), "scale of a value function"),
        (lambda: glaux.NTupleNetwork(game, scale=float("nan")), "scale of a value function"),
        (lambda: glaux.NTupleNetwork(glaux.make("santorini"), length=16), "more than .* weights"),
        (lambda: Learning(rule="adam"), "no learning rule 'adam'"),
        (lambda: Learning(alpha=-1), "alpha of learning"),
        (lambda: Learning(alpha=1e39), "alpha of learning"),
        (lambda: Learning(init=1e-50), "init of learning"),
        (lambda: Learning(beta=81), "beta of learning must be at most 80, not 81"),
        (lambda: network.fit(states, [1, 2, 3]), "Expected one value per state \\(4\\)"),
        (lambda: network.fit(states, [1, 2, 3, float("nan")]), "finite numbers"),
        (lambda: network.fit(states, [0, 0, 0, 0], epochs=0), "epochs must be at least 1"),
        (lambda: network.fit(states, [0, 0, 0, 0], batch_size=0), "batch size must be at least 1"),
        (lambda: network.fit(states, [0, 0, 0, 0], symmetry="every"), "no symmetry 'every'"),
        (lambda: glaux.UBFM(glaux.make("othello"), network), "is of connect_four.*, not of othello"),
    ]:
        with pytest.raises(InvalidParameter, match=message):
            make()
    refused: list[Any] = [([], []), (glaux.make("hex").initial(), [1])]
    for states, values in refused:
        with pytest.raises(InvalidState):
            network.fit(states, values)
    assert len(network.evaluate([])) == 0


def test_the_native_core_refuses_another_board() -> None:
    game, other = glaux.make("connect_four"), glaux.make("othello")
    network = glaux.NTupleNetwork(game, count=3, length=3)
    with pytest.raises(InvalidParameter, match="another board"):
        network.native.evaluate(other.native, other.array(other.initial()))
