"""Quoridor: pawns that meet, walls and paths, how a match ends, the mirror, what is refused."""

from __future__ import annotations

import random

import pytest

import glaux
from glaux.errors import InvalidAction, InvalidState

GAME = glaux.make("quoridor")
SMALL = glaux.make("quoridor", size=5, walls=4)


def position(
    first: str, second: str, walls: str = "-", player: str = "X", quiet: int = 0, game: glaux.Game = SMALL
) -> glaux.State:
    """Pawns on cells, and walls, all of the first player's while there are some."""
    size, count = game.spec.board.rows, game.parameters["walls"]
    rows = [["."] * size for _ in range(size)]
    for symbol, cell in (("X", first), ("O", second)):
        rows[size - int(cell[1])]["abcdefghi".index(cell[0])] = symbol
    placed = 0 if walls == "-" else len(walls.split(","))
    hand = f"{max(0, count - placed)} {count - max(0, placed - count)}"
    ply = placed + quiet
    if (ply % 2 == 0) != (player == "X"):
        assert placed > 0, "without walls the ply says who is to move"
        ply += 1
    return game.parse_state(f"{'/'.join(map(''.join, rows))} {player} {ply} {hand} {quiet} {walls}")


def steps(s: glaux.State) -> set[str]:
    """The legal pawn moves."""
    return {text for text in texts(s) if text[-1] not in "hv"}


def texts(s: glaux.State) -> set[str]:
    return {s.game.action_text(s, a) for a in s.game.actions(s)}


def test_the_start() -> None:
    s = GAME.initial()
    assert steps(s) == {"d1", "f1", "e2"}
    assert len(texts(s)) == 3 + 2 * 64
    assert len(bytes(s)) == 24
    assert GAME.pieces(s) == (10, 10)
    assert [GAME.perft(depth) for depth in (1, 2)] == [131, 16677]


@pytest.mark.parametrize(
    ("first", "second", "walls", "expected"),
    [
        ("c3", "a5", "-", "b3 d3 c2 c4"),
        ("c3", "a5", "c3h", "b3 d3 c2"),
        ("c3", "a5", "b3h", "b3 d3 c2"),  # with its right half
        ("c3", "a5", "c2v", "b3 c2 c4"),  # with its upper half
        ("c3", "a5", "c3v,b3v,c2h", "c4"),
        ("c3", "c4", "-", "b3 d3 c2 c5"),  # the jump
        ("c3", "c4", "c4h", "b3 d3 c2 b4 d4"),  # a wall behind
        ("c3", "c4", "b4h,c4v", "b3 d3 c2 b4"),  # and one beside
        ("c3", "c4", "b3h", "b3 d3 c2"),  # one between
        ("a2", "a3", "a3h", "a1 b2 b3"),  # the edge beside
        ("b3", "a3", "-", "b2 b4 c3 a2 a4"),  # the edge behind
        ("c4", "c5", "-", "b4 d4 c3 b5 d5"),  # in the goal row
    ],
)
def test_pawn_moves(first: str, second: str, walls: str, expected: str) -> None:
    assert steps(position(first, second, walls)) == set(expected.split())


def test_walls_neither_overlap_nor_cross() -> None:
    free = texts(position("c1", "c5", "b2h"))
    assert not {"a2h", "b2h", "c2h", "b2v"} & free
    assert {"d2h", "b1h", "b3h", "a2v", "b1v", "b3v"} <= free
    free = texts(position("c1", "c5", "b2v"))
    assert not {"b1v", "b2v", "b3v", "b2h"} & free
    assert {"b4v", "a2v", "c2v", "a2h", "c2h"} <= free


@pytest.mark.parametrize(
    ("first", "second", "walls", "illegal", "legal"),
    [
        ("a1", "e5", "a2h", "a1v b1v", "c1v b2v a1h"),  # the corner with the first pawn
        ("c1", "e5", "a2h", "", "a1v b1v"),  # nobody is there
        ("c1", "a5", "a3h", "a4v b4v", "b3v c4v"),  # the corner with the second pawn
        ("c1", "c5", "a2h,c2h", "d1v", "d2v b1v"),  # across the board but for e2
        ("e1", "c5", "a2h,c2h", "", "d1v"),  # which the pawn is in
        ("c3", "a5", "b3h,c2v,b2v", "b1h c1h", "a1v d1h"),  # around c2 and c3, away from the edge
    ],
)
def test_a_wall_leaves_a_path(first: str, second: str, walls: str, illegal: str, legal: str) -> None:
    free = texts(position(first, second, walls))
    assert not set(illegal.split()) & free
    assert set(legal.split()) <= free


def test_without_walls_in_hand_only_pawns_move() -> None:
    s = position("c1", "c5", "a1h,c1h,a2h,c2h", "X")
    assert SMALL.pieces(s) == (0, 4)
    assert texts(s) == steps(s)
    s = SMALL.apply(s, SMALL.actions(s)[0])
    assert len(texts(s)) > len(steps(s))


@pytest.mark.parametrize(
    ("first", "second", "player", "move", "outcome", "score"),
    [
        ("a4", "c4", "X", "a5", 1, 3),
        ("a3", "e2", "O", "e1", -1, -2),
        ("c4", "c5", "X", "b5", 1, 4),
    ],
)
def test_the_goal_wins(first: str, second: str, player: str, move: str, outcome: int, score: int) -> None:
    s = SMALL.play(move, position(first, second, "a1h", player))
    assert (SMALL.outcome(s), SMALL.score(s)) == (outcome, score)


@pytest.mark.parametrize(
    ("first", "second", "move", "outcome"),
    [("c3", "a5", "c4", 1), ("a1", "e2", "a2", -1), ("c1", "a4", "c2", 0), ("c4", "a2", "c5", 1)],
)
def test_pawn_moves_without_a_wall_end_the_match(first: str, second: str, move: str, outcome: int) -> None:
    """The nearer row wins: rows to go are counted, not steps."""
    s = position(first, second, "c1v", quiet=99)
    assert SMALL.outcome(s) is None
    assert SMALL.outcome(SMALL.play(move, s)) == outcome


def test_a_wall_begins_the_count_anew() -> None:
    s = SMALL.play("a3h", position("c3", "a5", "c1v", quiet=99))
    assert SMALL.outcome(s) is None
    assert SMALL.state_text(s).split()[5] == "0"


def test_the_cells_of_actions() -> None:
    names = {GAME.spec.board.cell_text(cell): cell for cell in range(81)}
    s = GAME.initial()
    paths = {text: GAME.action_cells(s, GAME.parse_action(s, text)) for text in ("e2", "a1h", "a1v")}
    assert paths["e2"] == [names[c] for c in ("e1", "e2")]
    assert paths["a1h"] == [names[c] for c in ("a1", "a2", "b1", "b2")]
    assert paths["a1v"] == [names[c] for c in ("a1", "b1", "a2", "b2")]


def test_the_mirror() -> None:
    s = GAME.play("b3h g7v d1")
    image = GAME.transform(s, 1)
    assert GAME.state_text(image).split()[6] == "g3h,b7v"
    assert GAME.action_text(image, GAME.transform_action(s, GAME.parse_action(s, "a1h"), 1)) == "h1h"
    assert GAME.transform(image, 1) == s


def test_the_picture_shows_the_walls() -> None:
    picture = str(position("c1", "c5", "a2h,c3v")).splitlines()
    assert picture[1] == " 5   .   .   O   .   ."
    assert picture[5] == " 3   .   .   . | .   ."
    assert picture[4] == "       +   +   |   +"
    assert picture[6] == "    -------+   +   +"
    assert picture[-1] == "   walls: X 2, O 4"


@pytest.mark.parametrize("size", range(3, 10))
def test_somebody_to_move_can_always_move_the_pawn(size: int, seed: int) -> None:
    game, rng = glaux.make("quoridor", size=size, walls=2 * size), random.Random(seed)
    for _ in range(5):
        s = game.initial()
        while not game.terminal(s):
            assert game.actions(s)[0] < size * size
            s = game.apply(s, rng.choice(game.actions(s)))


ROWS = "..O../...../...../...../..X.."


@pytest.mark.parametrize(
    "text",
    [
        f"{ROWS} O 0 4 4 0 -",  # the second player at ply 0
        f"{ROWS} X 0 4 3 0 -",  # a wall is lost
        f"{ROWS} X 0 5 4 0 -",
        f"{ROWS} X 2 4 4 0 -",  # two plies of nothing
        f"{ROWS} X 2 3 3 0 a1h,b1h",  # overlap
        f"{ROWS} X 2 3 3 0 a1h,a1v",  # cross
        f"{ROWS} X 2 3 3 0 a1h,a1h",
        f"{ROWS} O 1 3 4 0 e1h",  # beyond the edge
        f"{ROWS} O 1 3 4 0 a5v",
        f"{ROWS} O 1 3 4 0 a1x",
        f"{ROWS} O 1 3 4 0 a1h,",
        f"{ROWS} X 4 2 2 0 b1v,c1v,b2h,d2h",  # no path: the pawn at c1 is shut in
        f"{ROWS} X 102 3 3 101 a1h,d1h",  # the match was over before
        f"{ROWS} X 0 4 4 0",
        "..O../...../...../...../..... X 0 4 4 0 -",
        "..O../...../..O../...../..X.. X 0 4 4 0 -",
        "..X../...../...../...../O.... X 2 4 4 2 -",  # the mover is home already
    ],
)
def test_impossible_states(text: str) -> None:
    with pytest.raises(InvalidState):
        SMALL.parse_state(text)


@pytest.mark.parametrize("text", ["e3", "e1", "i1h", "a9v", "e2h2", ""])
def test_impossible_moves(text: str) -> None:
    with pytest.raises(InvalidAction):
        GAME.parse_action(GAME.initial(), text)


def test_random_matches_draw_actions_evenly() -> None:
    """One pawn move before the limit, a random match ends at once by each of them as often as it is drawn."""
    s = position("a1", "e5", "a2h,c2h,b4h", quiet=99)
    actions, drawn = SMALL.actions(s), 20_000
    moves = {action for action in actions if action < 25}
    everywhere = 2 * 16 - 3 * 3  # without the middles of the walls and those of lying walls beside them
    assert len(actions) - len(moves) < everywhere, "some walls would leave no path"
    ends = SMALL.states(SMALL.playouts(s, drawn, 5))
    at_once = [SMALL.state_text(end).split()[0] for end in ends if SMALL.ply(end) == SMALL.ply(s) + 1]
    for action in moves:
        text = SMALL.state_text(SMALL.apply(s, action)).split()[0]
        share = 1 / len(actions)
        assert abs(at_once.count(text) - drawn * share) < 5 * (drawn * share) ** 0.5
