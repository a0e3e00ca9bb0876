"""A state as a small SVG picture: what notebooks show, from the look that the page draws from.

Squares, lines and hexagons, stones and letters: enough to read a position. The page (``web/src/board``)
draws the same looks with all their ornaments.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape

from glaux import _core
from glaux.looks.finding import look_of
from glaux.looks.look import Look, Piece
from glaux.rules.game import Game, State

UNIT, MARGIN = 40.0, 26.0
RADIUS = 0.4 * UNIT
ON_LINES = ("lines", "loops", "paper")
GROUNDS = {"felt": "#2e7d4f", "frame": "#2f62b5", "lines": "#e3bd75", "loops": "#e3bd75", "paper": "#fbfaf4"}
LIGHT, DARK, BARE, INK = "#f0d9b5", "#d5b088", "#e9e4d8", "#333333"
STONES = {"first": ("#1d1d1f", "#ffffff"), "second": ("#fafafa", "#1d1d1f")}
"""the colour of each player's stones, and of what is written on them"""
FRONT = "#b0483a"
"""of the ring around what an action has touched"""
Point = tuple[float, float]


def board_svg(state: State, touched: Iterable[int] = ()) -> str:
    """The board of a state as SVG; ``touched`` cells are marked, as those of the last action."""
    if look_of(state.game).board.ground == "net":
        return _net(state)
    return _Board(state.game, look_of(state.game)).drawn(state, set(touched))


def _net(state: State) -> str:
    """The unfolded cube: a sticker for each letter of its drawing."""
    lines, pieces = state.game.drawing(state).splitlines(), look_of(state.game).pieces
    side = UNIT / 2
    stickers = [
        _rectangle(6 + column * side / 2, 6 + row * side, pieces[letter].colour, "#00000077", side - 2)
        for row, line in enumerate(lines)
        for column, letter in enumerate(line)
        if letter in pieces
    ]
    width, height = 12 + max(map(len, lines)) * side / 2 + side / 2, 12 + len(lines) * side
    return _svg(state, 0, width, height, stickers)


def _svg(state: State, left: float, width: float, height: float, parts: Iterable[str]) -> str:
    title = escape(f"{state.game.spec.title}: {state.game.state_text(state)}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" '
        f'viewBox="{left:.0f} 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" '
        f'font-family="sans-serif"><title>{title}</title>' + "".join(parts) + "</svg>"
    )


class _Board:
    def __init__(self, game: Game, look: Look) -> None:
        self.game, self.look, self.board = game, look, game.spec.board
        self.hexagonal = self.board.shape == _core.Shape.hexagonal
        self.cells = [c for c in range(self.board.rows * self.board.columns) if self.board.has(c)]
        self.step = UNIT * math.sqrt(3) / 2 if self.hexagonal else UNIT

    def centre(self, cell: int) -> Point:
        row, column = divmod(cell, self.board.columns)
        lean = row / 2 if self.hexagonal else 0.0
        return MARGIN + (column + lean + 0.5) * UNIT, MARGIN + row * self.step + UNIT / 2

    def drawn(self, state: State, touched: set[int]) -> str:
        centres = [self.centre(cell) for cell in self.cells]
        left = min(x for x, _ in centres) - UNIT / 2 - MARGIN
        width = max(x for x, _ in centres) + UNIT / 2 + 6 - left
        height = max(y for _, y in centres) + UNIT / 2 + MARGIN
        parts = [*self._edges(), *self._ground(), *self._labels()]
        codes = self.game.cells(state).ravel().tolist()
        for cell in self.cells:
            parts += self._piece(cell, self.game.spec.symbols[codes[cell]], codes[cell])
            if cell in touched:
                x, y = self.centre(cell)
                parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="{FRONT}"/>')
        return _svg(state, left, width, height, parts)

    def _ground(self) -> Iterator[str]:
        ground = self.look.board.ground
        if ground in ON_LINES:
            half = UNIT / 2
            for cell in self.cells:
                x, y = self.centre(cell)
                yield _rectangle(x - half, y - half, GROUNDS[ground], "none")
            for cell in self.cells:
                yield from self._crossing(cell)
            return
        for cell in self.cells:
            x, y = self.centre(cell)
            row, column = divmod(cell, self.board.columns)
            if self.hexagonal:
                side, turns = UNIT / math.sqrt(3), [k * math.pi / 3 for k in range(6)]
                corners = [(x + side * math.sin(turn), y - side * math.cos(turn)) for turn in turns]
                text = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
                yield f'<polygon points="{text}" fill="{BARE}" stroke="#8a8577"/>'
            elif ground in GROUNDS:
                yield _rectangle(x - UNIT / 2, y - UNIT / 2, GROUNDS[ground], "#00000044")
            else:
                fill = (
                    (self.look.colours.dark or DARK)
                    if (row + column) % 2
                    else (self.look.colours.light or LIGHT)
                )
                yield _rectangle(x - UNIT / 2, y - UNIT / 2, fill, "none")

    def _edges(self) -> Iterator[str]:
        """The goals of both players, where they are edges of the board."""
        if not self.look.board.edges:
            return
        rows, columns, wide = self.board.rows, self.board.columns, 0.42 * UNIT
        corners = [self.centre(c) for c in (0, columns - 1, rows * columns - 1, (rows - 1) * columns)]
        for k, owner in enumerate(("first", "second", "first", "second")):
            (x, y), (a, b) = corners[k], corners[(k + 1) % 4]
            colour = getattr(self.look.colours, owner) or STONES[owner][0]
            down, right = ((-wide, 0), (0, wide), (wide, 0), (0, -wide))[k]
            yield (
                f'<line x1="{x + right:.1f}" y1="{y + down:.1f}" x2="{a + right:.1f}" y2="{b + down:.1f}" '
                f'stroke="{colour}" stroke-width="{0.6 * UNIT:.0f}" stroke-linecap="round"/>'
            )

    def _crossing(self, cell: int) -> Iterator[str]:
        """The lines from a cell to the right and down."""
        row, column = divmod(cell, self.board.columns)
        x, y = self.centre(cell)
        for other, inside in ((cell + 1, column + 1 < self.board.columns),
                              (cell + self.board.columns, row + 1 < self.board.rows)):  # fmt: skip
            if inside and self.board.has(other):
                a, b = self.centre(other)
                yield f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{a:.1f}" y2="{b:.1f}" stroke="#5b4a2f"/>'

    def _labels(self) -> Iterator[str]:
        rows: dict[int, int] = {}
        columns: dict[int, int] = {}
        for cell in self.cells:
            rows.setdefault(cell // self.board.columns, cell)
            columns.setdefault(cell % self.board.columns, cell)
        for cell in rows.values():
            x, y = self.centre(cell)
            name = self.board.cell_text(cell).lstrip("abcdefghijklmnopqrstuvwxyz")
            yield _text(x - UNIT / 2 - MARGIN / 2, y, name, 13, INK)
        for column in columns:
            cells = [cell for cell in self.cells if cell % self.board.columns == column]
            x, y = self.centre(cells[-1])
            name = self.board.cell_text(cells[-1]).rstrip("0123456789")
            yield _text(x, y + UNIT / 2 + MARGIN / 2, name, 13, INK)

    def _piece(self, cell: int, symbol: str, code: int) -> Iterator[str]:
        if code == 0:
            if self.look.board.ground == "frame":
                yield self._circle(cell, "#e8eef8", "none")
            return
        x, y = self.centre(cell)
        if len(symbol) > 1 and symbol[0].isdigit():  # a level, and who stands on it
            level, symbol = symbol[0], symbol[1:]
            if level != "0":
                yield _text(x - 0.36 * UNIT, y - 0.36 * UNIT, level, 12, INK)
                yield _rectangle(x - 0.44 * UNIT, y - 0.44 * UNIT, "none", INK, 0.88 * UNIT)
            if symbol == ".":
                return
        piece = self.look.pieces.get(symbol)
        if piece is None:
            yield _text(x, y, symbol.strip(), 20, INK)
            return
        fill, ink = self._colours(piece)
        if piece.shape == "sticker":
            yield _rectangle(x - UNIT / 2 + 1, y - UNIT / 2 + 1, fill, "#00000055", UNIT - 2)
            return
        if piece.shape == "block":
            yield _rectangle(x - 0.35 * UNIT, y - 0.35 * UNIT, fill, "#00000055", 0.7 * UNIT)
        else:
            yield self._circle(cell, fill, "#00000088")
        mark = {"crown": "♛", "chevron": "▲", "ring": "○"}.get(piece.mark, piece.mark[:1].upper())
        written = piece.text or mark
        if written:
            yield _text(x, y, written, 18, ink)
        if piece.acting:
            yield self._circle(cell, "none", FRONT, RADIUS + 2)

    def _colours(self, piece: Piece) -> tuple[str, str]:
        fill, ink = STONES.get(piece.owner, ("#8f8a80", "#ffffff"))
        tones = self.look.colours
        if piece.owner in STONES:
            fill = getattr(tones, piece.owner) or fill
            ink = getattr(tones, f"{piece.owner}_ink") or ink
        return piece.colour or fill, ink

    def _circle(self, cell: int, fill: str, stroke: str, radius: float = RADIUS) -> str:
        x, y = self.centre(cell)
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}" stroke="{stroke}"/>'


def _rectangle(x: float, y: float, fill: str, stroke: str, side: float = UNIT) -> str:
    box = f'x="{x:.1f}" y="{y:.1f}" width="{side:.1f}" height="{side:.1f}"'
    return f'<rect {box} fill="{fill}" stroke="{stroke}"/>'


def _text(x: float, y: float, text: str, size: int, fill: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{fill}" text-anchor="middle" '
        f'dominant-baseline="central">{escape(text)}</text>'
    )
