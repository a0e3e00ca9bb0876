import pytest

import glaux
from glaux.errors import InvalidParameter, InvalidState
from tests.games.cubes import counts_by_distance, cube, order

FAR = 0
"""the seed of a scramble that is far from the solved cube in both metrics"""


def test_actions() -> None:
    texts = [cube(2).action_text(cube(2).initial(), action) for action in range(9)]
    assert texts == ["U", "U2", "U'", "R", "R2", "R'", "F", "F2", "F'"]
    quarter = cube(2, quarter=1)
    assert [quarter.action_text(quarter.initial(), a) for a in range(6)] == ["U", "U'", "R", "R'", "F", "F'"]


@pytest.mark.parametrize(
    ("quarter", "counts"),
    [(0, [1, 9, 54, 321, 1847, 9992]), (1, [1, 6, 27, 120, 534, 2256, 8969])],
)
def test_states_at_each_distance(quarter: int, counts: list[int]) -> None:
    # The published numbers; cpp/tests/test_cubes.cpp goes to the end.
    game = cube(2, quarter=quarter)
    assert counts_by_distance(game, game.scramble(40, seed=FAR), len(counts) - 1) == counts


@pytest.mark.parametrize(("texts", "expected"), [("R", 4), ("R2", 2), ("R U", 15), ("R U R' U'", 6)])
def test_orders(texts: str, expected: int, seed: int) -> None:
    game = cube(2)
    assert order(game, texts, game.scramble(30, seed)) == expected


def test_the_fixed_corner_stays() -> None:
    # The solved cube, but rotated as a whole.
    with pytest.raises(InvalidState, match="Hold the cube of size 2"):
        cube(2).parse_state("FFFF/RRRR/DDDD/BBBB/LLLL/UUUU 0")


@pytest.mark.parametrize("parameters", [{"twists": 0}, {"limit": 0}, {"limit": 201}, {"seed": -1}])
def test_parameters_have_ranges(parameters: dict[str, int]) -> None:
    with pytest.raises(InvalidParameter, match="needs"):
        glaux.make("rubik2", **parameters)


def test_a_state_is_eight_bytes() -> None:
    assert glaux.make("rubik2").spec.state_size == 8
