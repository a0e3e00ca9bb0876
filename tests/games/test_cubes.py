"""Both cubes beside a reference that knows stickers and no cubies, and the laws of their groups."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import glaux
from glaux.errors import InvalidParameter, InvalidState
from tests.games.cubes import cube, inverse, sequences, solved_text
from tests.reference.rubik import Position, Rubik

SIZES = pytest.mark.parametrize("size", [2, 3])
CUBES = st.sampled_from([2, 3])
SEEDS = st.integers(0, 2**32)


@given(st.data(), CUBES, SEEDS)
def test_twists_move_the_stickers_of_the_reference(data: st.DataObject, size: int, seed: int) -> None:
    game = cube(size)
    texts = data.draw(sequences(size))
    state = game.scramble(25, seed)
    reference = Rubik(game.state_text(state).split()[0], limit=200)
    position: Position = reference.initial()
    for text in texts:
        if game.terminal(state):
            break
        state, position = game.play(text, state), reference.apply(position, text)
        assert game.state_text(state) == f"{position.stickers} {position.made}"
        assert game.outcome(state) == reference.outcome(position)


@given(st.data(), CUBES, SEEDS)
def test_twists_can_be_undone(data: st.DataObject, size: int, seed: int) -> None:
    game = cube(size)
    texts = data.draw(sequences(size, most=12))
    start = game.scramble(30, seed)
    state = start
    for text in [*texts, *inverse(texts)]:
        if game.terminal(state):
            return
        state = game.play(text, state)
    assert game.state_text(state).split()[0] == game.state_text(start).split()[0]
    assert game.ply(state) == 2 * len(texts)


@given(st.data(), CUBES)
def test_a_scramble_is_solved_by_its_inverse(data: st.DataObject, size: int) -> None:
    game = cube(size)
    texts = data.draw(sequences(size, most=12))
    reference = Rubik(solved_text(size), limit=200)
    position = reference.initial()
    for text in texts:
        position = reference.apply(position, text)
    state = game.parse_state(f"{position.stickers} 0")
    for text in inverse(texts):
        if game.terminal(state):
            break
        state = game.play(text, state)
    assert game.outcome(state) == 1


@given(CUBES, SEEDS, st.integers(1, 60))
def test_twists_keep_the_invariants(size: int, seed: int, n: int) -> None:
    game = cube(size)
    ids, turns = game.cells(game.scramble(n, seed)).tolist()
    corners = 7 if size == 2 else 8
    assert sorted(ids[:corners]) == list(range(corners)) and sorted(ids[corners:]) == list(
        range(len(ids) - corners)
    )
    assert sum(turns[:corners]) % 3 == 0 and sum(turns[corners:]) % 2 == 0
    if size == 3:
        assert odd(ids[:corners]) == odd(ids[corners:])


def odd(permutation: list[int]) -> bool:
    return sum(a > b for a, b in itertools.combinations(permutation, 2)) % 2 == 1


@SIZES
def test_symmetries_are_a_group_that_keeps_the_solved_cube(size: int, seed: int) -> None:
    game = cube(size)
    state, other = game.scramble(30, seed), game.scramble(31, seed)
    images = {bytes(game.transform(state, k)): k for k in range(24)}
    assert len(images) == 24
    for j, k in itertools.product(range(24), range(24)):
        both = images[bytes(game.transform(game.transform(state, j), k))]
        assert game.transform(game.transform(other, j), k) == game.transform(other, both)
    won = game.parse_state(f"{solved_text(size)} 3")
    assert all(game.transform(won, k) == won for k in range(24))


@SIZES
@pytest.mark.parametrize("quarter", [0, 1])
def test_scrambles(size: int, quarter: int) -> None:
    game = cube(size, quarter=quarter)
    # No two twists in a row are of one face: one twist never undoes two, and all of the first are drawn.
    one, two = ({bytes(game.scramble(n, seed)): None for seed in range(400)} for n in (1, 2))
    assert len(one) == game.spec.action_count
    for data in two:
        state = game.state(data)
        assert game.ply(state) == 0
        assert not any(game.outcome(game.apply(state, action)) for action in game.actions(state))
    assert all(
        any(game.outcome(child) for child in game.states(game.expand(game.state(d)).children)) for d in one
    )
    start = glaux.make(f"rubik{size}", twists=9, seed=5)
    assert bytes(start.initial()) == bytes(start.scramble(9, 5)) != bytes(start.scramble(9, 6))


@SIZES
def test_the_limit_ends_a_match(size: int) -> None:
    game = glaux.make(f"rubik{size}", twists=3, limit=4, seed=1)
    state = game.play("U U' U")
    assert game.outcome(state) is None
    assert game.outcome(game.play("U'", state)) == -1
    assert game.spec.max_plies == 4
    solved_last = game.play("U2", game.parse_state(f"{after(size, 'U2')} 3"))
    assert game.outcome(solved_last) == 1 and game.ply(solved_last) == 4


def after(size: int, texts: str) -> str:
    reference = Rubik(solved_text(size), limit=200)
    position = reference.initial()
    for text in texts.split():
        position = reference.apply(position, text)
    return position.stickers


@SIZES
def test_where_a_match_starts_is_no_rule(size: int, tmp_path) -> None:
    game = glaux.make(f"rubik{size}", twists=3, seed=1)
    elsewhere, longer = glaux.make(f"rubik{size}", twists=9, seed=8), glaux.make(f"rubik{size}", limit=99)
    assert game != elsewhere and game.same_rules(elsewhere)
    assert not game.same_rules(longer)
    glaux.NTupleNetwork(game, count=2, length=3).save(tmp_path / "value")
    assert glaux.load(tmp_path / "value", elsewhere).game == elsewhere
    with pytest.raises(InvalidParameter, match="is of rubik"):
        glaux.UBFM(longer, glaux.load(tmp_path / "value"))


@SIZES
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda text: text.replace("/", "", 1), "written as its faces"),
        (lambda text: text.replace("U", "X", 1), "written as its faces"),
        (lambda text: text.partition(" ")[0], "number of twists made, from 0 to 200"),
        (lambda text: text[:-1] + "201", "number of twists made"),
        (lambda text: text[:-1] + "-1", "number of twists made"),
        (lambda text: text + " 1", "nothing else"),
        (lambda text: "", "written as its faces"),
        (lambda text: text[::-1].replace("B", "R", 1)[::-1], "No corner of the cube has the colours"),
    ],
)
def test_texts_that_are_no_cube(size: int, change, sentence: str) -> None:
    with pytest.raises(InvalidState, match=sentence):
        cube(size).parse_state(change(f"{solved_text(size)} 0"))


@SIZES
def test_no_state_has_more_twists_than_the_limit(size: int) -> None:
    # Each bit of the bytes that count them, the sign of a number among them.
    game = cube(size)
    data = bytes(game.scramble(5))
    count = slice(7, 8) if size == 2 else slice(20, 24)
    assert data[count] == bytes(len(data[count]))
    for bit in range(8 * len(data[count])):
        made = (1 << bit).to_bytes(len(data[count]), "little")
        state = data[: count.start] + made
        if 1 << bit <= 200:
            assert game.ply(game.state(state)) == 1 << bit
        else:
            with pytest.raises(InvalidState, match="more twists"):
                game.state(state)


@SIZES
def test_a_twisted_corner_is_seen(size: int) -> None:
    # The corner URF of the solved cube with its three stickers moved on by one.
    faces = {
        face: list(letters) for face, letters in zip("URFDLB", solved_text(size).split("/"), strict=True)
    }
    last = size - 1
    faces["U"][-1], faces["R"][0], faces["F"][last] = "F", "U", "R"
    text = "/".join("".join(faces[face]) for face in "URFDLB")
    with pytest.raises(InvalidState, match="One corner of this cube is twisted"):
        cube(size).parse_state(f"{text} 0")


def test_planes_are_the_net() -> None:
    game = cube(2)
    planes = game.encode(game.parse_state(f"{after(2, 'R')} 50"))[0]
    letters = [
        "".join("URFDLB"[planes[:6, r, c].argmax()] if planes[:6, r, c].any() else " " for c in range(8))
        for r in range(6)
    ]
    assert letters == ["  UF    ", "  UF    ", "LLFDRRUB", "LLFDRRUB", "  DB    ", "  DB    "]
    assert (planes[:6].sum(axis=0) <= 1).all() and (planes[6] == 0.25).all()


@SIZES
def test_the_drawing_is_the_net(size: int) -> None:
    game = cube(size)
    drawing = str(game.parse_state(f"{after(size, 'F')} 0"))
    net = {
        2: ["     U U", "     L L", "L D  F F  U R  B B", "L D  F F  U R  B B", "     R R", "     D D"],
        3: [
            *["       U U U"] * 2,
            "       L L L",
            *["L L D  F F F  U R R  B B B"] * 3,
            "       R R R",
            *["       D D D"] * 2,
        ],
    }
    assert drawing.split("\n") == net[size]
