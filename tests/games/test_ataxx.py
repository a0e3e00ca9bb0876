import pytest

import glaux
from glaux.errors import InvalidState

REPEATED = 10 * 10
"""of the first four plies: both jump out and back again, each in ten ways"""


@pytest.fixture(scope="module")
def game() -> glaux.Game:
    return glaux.make("ataxx")


def board(first: str, second: str, size: int = 7) -> str:
    """The rows of a state's text with the pieces of both players on the named cells."""
    rows = [["."] * size for _ in range(size)]
    for cells, symbol in ((first, "X"), (second, "O")):
        for cell in cells.split():
            rows[size - int(cell[1:])]["abcdefgh".index(cell[0])] = symbol
    return "/".join("".join(row) for row in rows)


def position(game: glaux.Game, first: str, second: str, player: str = "X") -> glaux.State:
    """These pieces, with a copy as the last ply."""
    copies = len(first.split()) + len(second.split()) - 4
    return game.parse_state(f"{board(first, second)} {player} {copies + (copies + (player == 'O')) % 2} - -")


def texts(game: glaux.Game, s: glaux.State) -> set[str]:
    return {game.action_text(s, a) for a in game.actions(s)}


def test_perft(game):
    # The published count of the fifth ply, 4,752,668, knows no repetition.
    expected = [16, 256, 6460, 155888, 4752668 - 16 * REPEATED]
    assert [game.perft(depth) for depth in range(1, 6)] == expected


def test_set_up(game):
    s = game.initial()
    assert game.state_text(s) == "O.....X/......./......./......./......./......./X.....O X 0 - -"
    assert game.first_player(s)
    assert game.pieces(s) == (2, 2)
    assert game.spec.has_history


def test_copies_and_jumps(game):
    s = game.initial()
    copies = {"a2", "b1", "b2", "f7", "f6", "g6"}
    jumps = {"a1a3", "a1b3", "a1c3", "a1c2", "a1c1", "g7e7", "g7e6", "g7e5", "g7f5", "g7g5"}
    assert texts(game, s) == copies | jumps
    assert game.pieces(game.play("b2", s)) == (3, 2)
    assert game.pieces(game.play("a1c3", s)) == (2, 2)


def test_a_copy_from_several_cells_is_one_action(game):
    s = position(game, "a1 b1", "g7 f7")
    assert [game.action_text(s, a) for a in game.actions(s)].count("a2") == 1


def test_neighbours_change_sides(game):
    s = game.play("d4", position(game, "c4 a1", "d5 e4 e5 d6 g1"))
    assert game.state_text(s).split()[0] == board("c4 a1 d4 d5 e4 e5", "d6 g1")
    s = game.play("b4d4", position(game, "b4 a1", "d5 e4 e5 d6 g1"))
    assert game.state_text(s).split()[0] == board("a1 d4 d5 e4 e5", "d6 g1")


def test_who_cannot_move_passes(game):
    first = " ".join(
        c + r for c in "abcdefg" for r in "1234567" if c + r not in ("a1", "g7", "f7", "g6", "e7")
    )
    s = position(game, first, "a1", "O")
    assert texts(game, s) == {"pass"}
    s = game.play("pass", s)
    assert game.first_player(s)
    assert "pass" not in texts(game, s)


def test_a_full_board_ends_the_match(game):
    everything = [c + r for c in "abcdefg" for r in "1234567"]
    s = position(game, " ".join(everything[:28]), " ".join(everything[28:48]), "X")
    assert everything[48] == "g7"
    with pytest.raises(glaux.errors.InvalidAction):
        game.play("g7", s)  # too far from the first player's
    s = game.play("g7", position(game, " ".join(everything[28:48]), " ".join(everything[:28])))
    assert game.outcome(s) == -1
    assert game.score(s) == 21 - 28


def test_no_pieces_left_loses(game):
    s = game.play("b2", position(game, "a1 a2", "b1 d1"))
    assert game.outcome(s) is None
    s = game.play("c2", position(game, "b1 b2", "c1 d1 d2 d3 c3"))
    assert game.outcome(s) == 1
    assert game.score(s) == 8


def test_the_first_repetition_ends_the_match(game):
    s = game.play("a1a3 a7a5 a3a1")
    assert game.outcome(s) is None
    s = game.play("a5a7", s)
    assert game.outcome(s) == 0
    assert game.state_text(s).split()[3:] == [
        "a1a3,a7a5,a3a1,a5a7",
        "O.....X/......./......./......./......./......./X.....O",
    ]
    s = game.play("a1a3 g1g3 a3a1 g3g1", position(game, "a1 a2 g7", "a7 g1", "X"))
    assert game.outcome(s) == 1, "more pieces win"


def test_a_copy_begins_a_new_run(game):
    s = game.play("a1a3 a7a5 g6")
    assert game.state_text(s).endswith(" - -")


def test_a_hundred_plies_without_a_copy_end_the_match(game):
    s = game.initial()
    while game.ply(s) < 99:
        jumps = [game.apply(s, a) for a in game.actions(s) if len(game.action_text(s, a)) == 4]
        s = next(child for child in jumps if not game.terminal(child))
    ends = [game.apply(s, a) for a in game.actions(s) if len(game.action_text(s, a)) == 4]
    assert all(game.terminal(end) for end in ends)


@pytest.mark.parametrize(("walls", "missing"), [(1, "c3 c5 e3 e5"), (2, "c4 d3 d5 e4")])
def test_walls_are_cells_that_are_not_there(walls, missing):
    game = glaux.make("ataxx", walls=walls)
    names = {game.spec.board.cell_text(cell) for cell in range(49) if not game.spec.board.has(cell)}
    assert names == set(missing.split())
    assert not {text[-2:] for text in texts(game, game.initial())} & names


@pytest.mark.parametrize(
    "text",
    [
        board("a1", "g7 g6") + " X 0 - -",  # a piece is missing
        board("a1 a2", "g7 g6") + " O 0 - -",  # O moves on odd plies
        board("a1 a2 a3", "g7 g6") + " X 0 - -",  # the copy is missing
        board("a1 a2", "g7 g6") + " O 1 a1a3 " + board("a1 a2", "g7 g6"),  # leads elsewhere
        board("a3 a2", "g7 g6") + " O 1 a1a3 -",
        board("a3 a2", "g7 g6") + " O 1 a1a4 " + board("a1 a2", "g7 g6"),
        board("a1 a2", "g7 g6") + " O 1 a7a7 " + board("a1 a2", "g7 g6"),  # no reason to pass
        board("", "g7 g6 a1 a2") + " O 1 - -",
        board("a1 a2", "g7 g6") + " X 0 - " + board("a1 a2", "g7 g6"),
    ],
)
def test_texts_that_are_no_states(game, text):
    with pytest.raises(InvalidState):
        game.parse_state(text)
