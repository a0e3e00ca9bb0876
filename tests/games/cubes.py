"""What the tests of both cubes share."""

from __future__ import annotations

from hypothesis import strategies as st

import glaux
from glaux import Game, State
from tests.reference.rubik import solved, stickers

FACES = {2: "URF", 3: "URFDLB"}
MARKS = ("", "2", "'")


def cube(size: int, **parameters: int) -> Game:
    """The cube with so many twists to play that no test runs out of them."""
    return glaux.make(f"rubik{size}", **({"limit": 200} | parameters))


def sequences(size: int, most: int = 30) -> st.SearchStrategy[list[str]]:
    """Twists in the half-turn metric."""
    twists = [face + mark for face in FACES[size] for mark in MARKS]
    return st.lists(st.sampled_from(twists), max_size=most)


def inverse(texts: list[str]) -> list[str]:
    """The twists that undo these."""
    undo = {"": "'", "2": "2", "'": ""}
    return [text[0] + undo[text[1:]] for text in reversed(texts)]


def solved_text(size: int) -> str:
    """The stickers of the solved cube."""
    return stickers(solved(size))


def order(game: Game, texts: str, start: State) -> int:
    """How often a sequence has to be played until the cube is as before; the start must not be solved."""
    rests = game.state_text(start).split()[0]
    state, times = start, 0
    while times == 0 or game.state_text(state).split()[0] != rests:
        # Begin to count the twists anew: the limit of the game is none here.
        state = game.parse_state(f"{game.state_text(state).split()[0]} 0")
        state = game.play(texts, state)
        times += 1
    return times


def counts_by_distance(game: Game, start: State, depth: int) -> list[int]:
    """How many states are 0, 1, ... depth twists from a start that is farther from the solved cube."""
    seen = {game.cells(start).tobytes()}
    level, counts = [start], [1]
    for _ in range(depth):
        after = []
        for state in level:
            for child in game.states(game.expand(state).children):
                assert not game.terminal(child), "the start is too near to the solved cube"
                key = game.cells(child).tobytes()
                if key not in seen:
                    seen.add(key)
                    after.append(child)
        level = after
        counts.append(len(level))
    return counts
