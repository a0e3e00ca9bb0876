import pytest

import glaux
from glaux.errors import InvalidState
from tests.games.cubes import counts_by_distance, cube, order

# Scrambles of 40 twists and what the two-phase solver of the package kociemba (1.2.1) answers.
SOLUTIONS = [
    (
        "BBULULRRF/RDFDRBBFU/BFDDFBBLL/LUUUDUFDL/RFDULFLBD/RRULBRFRD",
        "R2 B2 U2 R2 F D' F R D B R2 D' F2 U' R2 B2 D2 R2 D L2",
    ),
    (
        "ULBBUUBFU/FBDBRLDUU/DDLRFLUUR/LLFRDFFRR/RDRDLBLUB/LFFDBRBFD",
        "U B2 U F U D L F' B R' L2 F' D2 F2 R2 L2 U2 D' F2 D B2 L2",
    ),
    (
        "BBBDUBDFB/RDRURLRLB/LLUDFBFRF/UFDUDBFUD/URFLLFURR/DRLUBDLFL",
        "R' L2 U F' R U F L2 U' D2 L' U2 L2 D' B2 U' F2 D F2 B2 D2",
    ),
    (
        "RBBDURDDL/UFRLRRLBR/FLFBFFLLD/DUFFDULDB/FFRBLRUUB/DLUUBDURB",
        "U F2 R D F2 L2 U2 B D L B' U2 D L2 F2 U D2 F2 U F2 B2",
    ),
    (
        "BRDUURRDU/LDFURUDDD/FLBFFLLBR/ULFDDFBBB/LFULLRUBF/LUDBBFRRR",
        "U2 F' R F D' L F R' L U' D' F2 R2 D' B2 R2 D L2 U'",
    ),
    (
        "BDFDUBFFL/FLDURRDFF/ULDRFLDFB/BURRDRBDU/ULRBLBUDL/RBLUBULFR",
        "D2 R' F2 D F' U B' D2 L2 B L U R2 D2 R2 B2 D B2 U2 D' B2",
    ),
    (
        "DBLRULUFD/RDBDRRDLU/LDBBFBRRR/UBFUDFRUL/LUBDLLULB/DUFFBRFFF",
        "U F2 U' D2 F' R B' R L' U2 B U' R2 F2 U2 L2 B2 L2 F2 U",
    ),
    (
        "BDFBUBFUF/RDRDRBRRB/LFDRFFDRD/LBBLDDDFU/UUURLULUF/ULLLBFRLB",
        "U R B2 L U' F2 B' R2 L U' R' B U B2 L2 U' L2 D' B2 U' R2 U2",
    ),
]


@pytest.mark.parametrize(("stickers", "solution"), SOLUTIONS)
def test_another_solver_s_solutions_solve(stickers: str, solution: str) -> None:
    game = cube(3)
    *before, last = solution.split()
    state = game.play(before, game.parse_state(f"{stickers} 0"))
    assert game.outcome(state) is None
    assert game.outcome(game.play(last, state)) == 1


def test_many_solutions_of_another_solver() -> None:
    kociemba = pytest.importorskip("kociemba", reason="pip install kociemba for this comparison")
    game = cube(3)
    for seed in range(20):
        state = game.scramble(30, seed)
        solution = kociemba.solve(game.state_text(state).split()[0].replace("/", ""))
        assert game.outcome(game.play(solution, state)) == 1


@pytest.mark.parametrize(("quarter", "counts"), [(0, [1, 18, 243, 3240]), (1, [1, 12, 114, 1068])])
def test_states_at_each_distance(quarter: int, counts: list[int]) -> None:
    game = cube(3, quarter=quarter)
    start = game.parse_state(f"{SOLUTIONS[0][0]} 0")
    assert counts_by_distance(game, start, len(counts) - 1) == counts


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ("R", 4),
        ("R2 U2", 6),
        ("R U R' U'", 6),
        ("R U'", 63),
        ("R U", 105),
        ("R U2 D' B D'", 1260),  # no element of the group has a higher order
    ],
)
def test_orders(texts: str, expected: int, seed: int) -> None:
    game = cube(3)
    assert order(game, texts, game.scramble(40, seed)) == expected


def test_the_superflip() -> None:
    # All the edges flipped in place, the best known position at distance 20; no rotation changes it.
    game = cube(3)
    texts = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"
    flipped = game.parse_state("UBULURUFU/RURFRBRDR/FUFLFRFDF/DFDLDRDBD/LULBLFLDL/BUBRBLBDB 0")
    ids, turns = game.cells(flipped).tolist()
    assert ids == [*range(8), *range(12)]
    assert turns == [0] * 8 + [1] * 12
    assert game.outcome(game.play(texts, flipped)) == 1
    assert all(game.transform(flipped, k) == flipped for k in range(24))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "UUUUUUURU/RURRRRRRR/FFFFFFFFF/DDDDDDDDD/LLLLLLLLL/BBBBBBBBB 0",
            "No edge of the cube has the colours",
        ),
        ("UUUUURUUU/RURRRRRRR/FFFFFFFFF/DDDDDDDDD/LLLLLLLLL/BBBBBBBBB 0", "One edge of this cube is flipped"),
        (
            "UUUUUUUUU/RFRRRRRRR/FRFFFFFFF/DDDDDDDDD/LLLLLLLLL/BBBBBBBBB 0",
            "Two pieces of this cube are swapped",
        ),
        ("UUUURUUUU/RRRRURRRR/FFFFFFFFF/DDDDDDDDD/LLLLLLLLL/BBBBBBBBB 0", "centres of the faces never move"),
    ],
)
def test_cubes_that_were_taken_apart(text: str, sentence: str) -> None:
    with pytest.raises(InvalidState, match=sentence):
        cube(3).parse_state(text)


def test_actions() -> None:
    game = cube(3)
    texts = [game.action_text(game.initial(), action) for action in range(18)]
    assert texts == [face + mark for face in "URFDLB" for mark in ("", "2", "'")]
    assert game.parse_action(game.initial(), "b'") == 17
    assert glaux.make("rubik3").spec.state_size == 24
