"""Rubik's Cube of any size as six grids of stickers, from the puzzle itself.

A face that turns rotates its own grid, and the rows or columns of its four neighbours change places.
"""

from dataclasses import dataclass, replace

FACES = "URFDLB"
Grid = list[list[str]]
"""rows of letters, as the unfolded net shows the face: L, F, R, B in a row, U above F and D below"""

STRIPS = {
    # Of the faces around each face, clockwise: the face, the row or column next to the turning face,
    # and whether it is read backwards.
    "U": [("B", "top", True), ("R", "top", True), ("F", "top", True), ("L", "top", True)],
    "D": [("F", "bottom", False), ("R", "bottom", False), ("B", "bottom", False), ("L", "bottom", False)],
    "F": [("U", "bottom", False), ("R", "left", False), ("D", "top", True), ("L", "right", True)],
    "B": [("U", "top", True), ("L", "left", False), ("D", "bottom", False), ("R", "right", True)],
    "R": [("U", "right", True), ("B", "left", False), ("D", "right", True), ("F", "right", True)],
    "L": [("U", "left", False), ("F", "left", False), ("D", "left", False), ("B", "right", True)],
}


def cells(size: int, side: str, backwards: bool) -> list[tuple[int, int]]:
    """The cells along one side of a face."""
    last = size - 1
    strip = {
        "top": [(0, i) for i in range(size)],
        "bottom": [(last, i) for i in range(size)],
        "left": [(i, 0) for i in range(size)],
        "right": [(i, last) for i in range(size)],
    }[side]
    return strip[::-1] if backwards else strip


def quarter(cube: dict[str, Grid], face: str) -> dict[str, Grid]:
    """The cube with a face turned clockwise by a quarter."""
    size = len(cube[face])
    turned = {name: [list(row) for row in grid] for name, grid in cube.items()}
    turned[face] = [[cube[face][size - 1 - column][row] for column in range(size)] for row in range(size)]
    around = STRIPS[face]
    for i, (source, side, backwards) in enumerate(around):
        target, target_side, target_backwards = around[(i + 1) % 4]
        strips = cells(size, side, backwards), cells(size, target_side, target_backwards)
        for (r, c), (tr, tc) in zip(*strips, strict=True):
            turned[target][tr][tc] = cube[source][r][c]
    return turned


def solved(size: int) -> dict[str, Grid]:
    """Each face in one colour."""
    return {face: [[face] * size for _ in range(size)] for face in FACES}


def twisted(cube: dict[str, Grid], texts: str) -> dict[str, Grid]:
    """The cube after twists in the usual notation: ``R U2 F'``."""
    for text in texts.split():
        for _ in range({"": 1, "2": 2, "'": 3}[text[1:]]):
            cube = quarter(cube, text[0])
    return cube


def stickers(cube: dict[str, Grid]) -> str:
    """The faces U, R, F, D, L, B row by row, with ``/`` between them."""
    return "/".join("".join(map("".join, cube[face])) for face in FACES)


@dataclass(frozen=True)
class Position:
    """The stickers and the number of twists made."""

    stickers: str
    made: int = 0


@dataclass(frozen=True)
class Rubik:
    """The game: twist until the cube is solved, but no more than ``limit`` times."""

    start: str
    """the stickers of the initial state"""
    limit: int
    quarter: bool = False

    @property
    def size(self) -> int:
        """Stickers along an edge."""
        return {4: 2, 9: 3}[len(self.start.split("/")[0])]

    def initial(self) -> Position:
        return Position(self.start)

    def first_player(self, s: Position) -> bool:
        return True

    def actions(self, s: Position) -> list[str]:
        if self.outcome(s) is not None:
            return []
        faces = "URF" if self.size == 2 else FACES
        return [face + mark for face in faces for mark in (["", "'"] if self.quarter else ["", "2", "'"])]

    def apply(self, s: Position, text: str) -> Position:
        faces = s.stickers.split("/")
        size = self.size
        cube = {
            face: [list(letters[row * size : (row + 1) * size]) for row in range(size)]
            for face, letters in zip(FACES, faces, strict=True)
        }
        return replace(s, stickers=stickers(twisted(cube, text)), made=s.made + 1)

    def outcome(self, s: Position) -> int | None:
        if s.stickers == stickers(solved(self.size)):
            return 1
        return -1 if s.made == self.limit else None

    def score(self, s: Position) -> int | None:
        return None
