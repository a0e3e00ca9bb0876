"""What must hold for every game: the contract of docs/architecture.md, and ``glaux check``.

``check_match`` plays a random match of a game and checks everything that can be said of a state
without knowing the rules. The tests run it on every registered game and size, on games with mobility, on
Python games and on OpenSpiel's; a user runs it on rules of their own.

What does not hold is a :class:`BrokenContract` with a sentence or, where the code says it all, the code.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from glaux import _core
from glaux.errors import GlauxError, InvalidAction, InvalidParameter, InvalidState
from glaux.rules.cells import cell_names, changed_cells, named_cells
from glaux.rules.game import ONGOING, Game, Player, State
from glaux.rules.registry import make


class BrokenContract(GlauxError):
    """Rules that do not keep the contract."""


def check_game(game: Game, matches: int = 10, seed: int = 0) -> None:
    """Check this many random matches of a game; BrokenContract says what does not hold, and where."""
    for number in range(seed, seed + matches):
        try:
            check_match(game, number)
        except AssertionError as failure:
            frame = traceback.extract_tb(failure.__traceback__)[-1]
            said = str(failure.args[0]) if failure.args else (frame.line or "").removeprefix("assert ")
            raise BrokenContract(
                f"{game.text} does not keep the contract in the random match of seed {number}, "
                f"{frame.name.replace('_', ' ')}: {said}"
            ) from failure


@contextmanager
def raises(error: type[Exception]) -> Iterator[None]:
    """Assert that the code inside raises this error."""
    try:
        yield
    except error:
        return
    raise AssertionError(f"what is impossible must raise {error.__name__}")


@dataclass
class Seen:
    """All the states of a match and their children, to compare states with one another."""

    by_data: dict[bytes, int] = field(default_factory=dict)
    by_hash: dict[int, bytes] = field(default_factory=dict)
    by_encoding: dict[bytes, bytes] = field(default_factory=dict)


def check_match(game: Game, seed: int, looks: int = 12) -> None:
    """Play a random match; look closely at about ``looks`` of its states, lightly at all."""
    rng = random.Random(seed)
    seen = Seen()
    state = game.initial()
    check_spec(game)
    check_scrambles(game, seed)
    plies = 0
    plies_of_playout = max(1, game.ply(game.states(game.playouts(state, 1, seed))[0]))
    while not game.terminal(state):
        check_lightly(game, state, plies)
        if rng.random() * plies_of_playout < looks or plies < 2:
            check_closely(game, state, seen, rng)
        state = game.apply(state, rng.choice(game.actions(state)))
        plies += 1
        assert plies <= game.spec.max_plies, "a match must end within P"
    check_lightly(game, state, plies)
    check_closely(game, state, seen, rng)
    check_terminal(game, state)


def check_spec(game: Game) -> None:
    """What the spec says of the game fits together."""
    spec = game.spec
    cells = spec.board.rows * spec.board.columns
    assert spec.state_size % 8 == 0
    assert spec.players in (1, 2)
    assert 1 <= spec.max_actions <= spec.action_count
    assert len({len(symbol) for symbol in spec.symbols}) == 1
    assert len(set(spec.symbols)) == len(spec.symbols)
    assert spec.symmetry_count >= 1
    maps = [tuple(m) for m in spec.symmetries]
    if spec.state_symmetries:
        assert not maps, "symmetries of states have no map of the cells"
        assert spec.state_symmetries == spec.symmetry_count
    else:
        assert maps[0] == tuple(range(cells)), "the identity comes first"
        assert len(set(maps)) == len(maps) == spec.symmetry_count
    for m in maps:
        assert sorted(m) == list(range(cells))
        for n in maps:
            assert tuple(n[i] for i in m) in maps, "symmetries form a group"
    assert len(spec.code_counts) in (0, cells)
    assert all(1 <= spec.code_count(cell) <= len(spec.symbols) for cell in range(cells))
    board = spec.board
    there = [board.has(cell) for cell in range(cells)]
    assert board.present in ([], there) and any(there)
    assert all(there[m[cell]] == there[cell] for m in maps for cell in range(cells))
    assert all((board.board_of(cell) >= 0) == bool(board.boards) for cell in range(cells) if there[cell])
    neighbours = spec.cell_neighbours()
    assert len(neighbours) == cells
    for cell, near in enumerate(neighbours):
        assert cell not in near and (there[cell] or not near)
        assert all(cell in neighbours[other] for other in near), "neighbours are mutual"
    exchanged, codes = spec.exchange
    assert spec.has_exchange == bool(codes) == bool(exchanged)
    if spec.has_exchange:
        assert spec.players == 2 and sorted(exchanged) == list(range(cells))
        assert [codes[code] for code in codes] == list(range(len(spec.symbols))) != codes
        assert [exchanged[cell] for cell in exchanged] == list(range(cells))
        assert all(there[exchanged[cell]] == there[cell] for cell in range(cells))
    assert make(game.text) == game if isinstance(game._source, str) else True


def check_scrambles(game: Game, seed: int) -> None:
    """Random starts are states in which the match is not over."""
    for n in (1, min(3, game.spec.max_plies - 1)):
        try:
            start = game.scramble(n, seed)
        except InvalidParameter as error:
            assert n < 1 or "rarely last longer" in str(error), "some matches last so long"
            continue
        assert game.state(bytes(start)) == start
        assert not game.terminal(start), "there is a match to play"
        assert game.ply(start) == (0 if game.spec.has_scrambles else n)
        assert game.scramble(n, seed) == start
    with raises(InvalidParameter):
        game.scramble(-1)
    with raises(InvalidParameter):
        game.scramble(1, -1)
    with raises(InvalidParameter):
        game.scramble(1001 if game.spec.has_scrambles else game.spec.max_plies)


def check_lightly(game: Game, state: State, plies: int) -> None:
    """What holds in every state, and costs little."""
    assert game.ply(state) == plies
    assert game.state(bytes(state)) == state
    actions = game.actions(state)
    assert actions == sorted(set(actions))
    assert len(actions) <= game.spec.max_actions
    assert all(0 <= a < game.spec.action_count for a in actions)
    assert bool(actions) != game.terminal(state), "terminal states, and only they, have no actions"
    assert (game.outcome(state) is not None) == game.terminal(state)
    assert game.player(state) in (Player.first, Player.second)
    assert game.first_player(state) == (game.player(state) == Player.first)
    if game.spec.players == 1:
        assert game.first_player(state)


def check_closely(game: Game, state: State, seen: Seen, rng: random.Random) -> None:
    """What holds in every state, and costs more."""
    check_texts(game, state)
    check_cells(game, state)
    check_illegal_actions(game, state, rng)
    check_expansion(game, state)
    check_symmetries(game, state, rng)
    check_exchange(game, state, rng)
    family = [state, *game.states(game.expand(state).children)]
    check_identity(game, family, seen)
    check_encoding(game, family, seen)


def check_texts(game: Game, state: State) -> None:
    """Texts of states and actions are read back."""
    text = game.state_text(state)
    assert "\n" not in text
    assert game.parse_state(text) == state
    texts = [game.action_text(state, a) for a in game.actions(state)]
    assert len({t.lower() for t in texts}) == len(texts), "texts tell actions apart"
    for action, action_text in zip(game.actions(state), texts, strict=True):
        assert not any(c.isspace() for c in action_text)
        assert game.parse_action(state, f" {action_text.upper()} ") == action
    assert str(state)


def check_cells(game: Game, state: State) -> None:
    """Where actions happen: on the board, where they change it or where their texts say."""
    board = game.spec.board
    names = cell_names(board)
    paths = {action: game.action_cells(state, action) for action in game.actions(state)}
    for action, path in paths.items():
        assert all(0 <= cell < board.rows * board.columns and board.has(cell) for cell in path)
        assert len(set(path)) == len(path)
        text = game.action_text(state, action)
        named = named_cells(names, text)
        changed = changed_cells(state, game.apply(state, action))
        if named:
            fewer = set(named) < set(path)  # where the text says the rest in another way, as a2n
            assert path == named or fewer, "the text of an action names the cells that it touches"
        elif path:
            assert set(path) <= set(changed), "what has no name is seen"
        assert set(path) & {*changed, *named} or not path
        for k, images in enumerate(game.spec.symmetries):
            image = game.transform_action(state, action, k)
            assert game.action_cells(game.transform(state, k), image) == [images[cell] for cell in path]
    placed = [tuple(path) for path in paths.values() if path]
    assert len(set(placed)) == len(placed), "cells tell actions with a place apart"


def check_illegal_actions(game: Game, state: State, rng: random.Random) -> None:
    """What is illegal is refused."""
    legal = set(game.actions(state))
    count = game.spec.action_count
    for action in [-1, count, count + 7, 2**31, *(rng.randrange(count) for _ in range(20))]:
        if action not in legal:
            with raises(InvalidAction):
                game.apply(state, action)
            with raises(InvalidAction):
                game.action_text(state, action)
            with raises(InvalidAction):
                game.action_cells(state, action)
    with raises(InvalidAction):
        game.parse_action(state, "no such action")
    with raises(InvalidState):
        game.state(bytes(state) + b"\0")
    with raises(InvalidState):
        game.state(bytes(state)[:-1])


def check_expansion(game: Game, state: State) -> None:
    """All the children at once are the same as one by one."""
    expansion = game.expand(state)
    assert expansion.actions.tolist() == game.actions(state)
    for i, action in enumerate(game.actions(state)):
        child = game.apply(state, action)
        assert expansion.children[i].tobytes() == bytes(child)
        assert expansion.hashes[i] == game.hash(child)
        assert bool(expansion.first_player[i]) == game.first_player(child)
        outcome = game.outcome(child)
        assert expansion.results[i] == (ONGOING if outcome is None else outcome)


def check_symmetries(game: Game, state: State, rng: random.Random) -> None:
    """The rules look the same through every symmetry."""
    actions = game.actions(state)
    cells = game.cells(state).ravel()
    assert all(code < game.spec.code_count(cell) for cell, code in enumerate(cells))
    details = game.details(state).ravel()
    if game.spec.details:
        assert all(code < len(game.spec.details) for code in details)
        assert np.array_equal(details != 0, cells != 0), "details are finer codes of what stands there"
    else:
        assert np.array_equal(details, cells)
    assert game.transform(state, 0) == state
    for k in range(game.spec.symmetry_count):
        image = game.transform(state, k)
        assert game.state(bytes(image)) == image
        assert game.outcome(image) == game.outcome(state)
        assert game.first_player(image) == game.first_player(state)
        assert game.ply(image) == game.ply(state)
        if game.spec.symmetries:
            assert np.array_equal(game.cells(image).ravel()[game.spec.symmetries[k]], cells)
            assert np.array_equal(game.details(image).ravel()[game.spec.symmetries[k]], details)
        assert sorted(game.transform_action(state, a, k) for a in actions) == game.actions(image)
        for action in rng.sample(actions, min(4, len(actions))):
            child = game.transform(game.apply(state, action), k)
            assert game.apply(image, game.transform_action(state, action, k)) == child


def check_exchange(game: Game, state: State, rng: random.Random) -> None:
    """With the players exchanged everything is the same for the other player; or the game has no exchange."""
    if not game.spec.has_exchange:
        with raises(InvalidParameter):
            game.exchange(state)
        return
    cells, codes = (np.asarray(m) for m in game.spec.exchange)
    image = game.exchange(state)
    assert game.state(bytes(image)) == image
    assert game.parse_state(game.state_text(image)) == image
    assert game.exchange(image) == state, "twice is as before"
    assert game.first_player(image) != game.first_player(state)
    assert game.ply(image) == game.ply(state)
    assert np.array_equal(game.cells(image).ravel()[cells], codes[game.cells(state).ravel()])
    if game.spec.details:
        details = np.asarray(game.spec.exchange_details)
        assert np.array_equal(game.details(image).ravel()[cells], details[game.details(state).ravel()])
    outcome = game.outcome(state)
    assert game.outcome(image) == (None if outcome is None else -outcome)
    if game.spec.has_score and outcome is not None:
        assert game.score(image) == -game.score(state)
    if game.spec.has_pieces:
        assert game.pieces(image) == game.pieces(state)[::-1]
    if game.spec.has_mobility:
        assert game.mobility(image) == game.mobility(state)[::-1]
    actions = game.actions(state)
    assert sorted(game.exchange_action(state, a) for a in actions) == game.actions(image)
    for action in rng.sample(actions, min(4, len(actions))):
        child = game.exchange(game.apply(state, action))
        assert game.apply(image, game.exchange_action(state, action)) == child
    ends = game.states(game.playouts(image, 2, rng.randrange(2**32)))
    assert all(game.state(bytes(end)) == end and game.terminal(end) for end in ends)


def check_identity(game: Game, states: list[State], seen: Seen) -> None:
    """Equal states have equal hashes; different ones do not, apart from collisions of 64 bits."""
    for state in states:
        data, value = bytes(state), game.hash(state)
        assert seen.by_data.setdefault(data, value) == value
        assert seen.by_hash.setdefault(value, data) == data


def check_encoding(game: Game, states: list[State], seen: Seen) -> None:
    """Planes are numbers of the promised shape, and tell states apart."""
    spec = game.spec
    planes = game.encode(states)
    assert planes.shape == (len(states), len(spec.planes), spec.plane_rows, spec.plane_columns)
    assert planes.dtype == np.float32
    assert np.isfinite(planes).all()
    if spec.board.present and planes.shape[2:] == (spec.board.rows, spec.board.columns):
        assert not planes[:, :, ~np.reshape(spec.board.present, planes.shape[2:])].any()
    assert np.array_equal(game.encode(states[0])[0], planes[0]), "a batch is as its states one by one"
    for state, encoding in zip(states, planes, strict=True):
        other = seen.by_encoding.setdefault(encoding.tobytes(), bytes(state))
        if other != bytes(state):
            assert spec.has_history, "different states have different planes"
            twin = game.state(other)
            assert np.array_equal(game.cells(twin), game.cells(state))
            assert game.first_player(twin) == game.first_player(state)
            assert game.ply(twin) == game.ply(state)


def check_terminal(game: Game, state: State) -> None:
    """A terminal state has an outcome, and no legal actions."""
    outcome = game.outcome(state)
    assert outcome in (-1, 0, 1)
    assert game.actions(state) == []
    assert game.playouts(state, 1)[0].tobytes() == bytes(state), "nothing to play out"
    if game.spec.aim == _core.Aim.score:
        assert game.spec.players == 1 and game.spec.has_score
    elif game.spec.has_score:
        assert np.sign(game.score(state)) == outcome
    if game.spec.has_pieces:
        assert min(game.pieces(state)) >= 0
