"""The board of a state, drawn for a terminal.

With colours, the cells have a ground that shows what the last turn changed; without them, brackets
do. A hexagonal board leans to the right as a rhombus; absent cells are blank, and several boards stand
apart. A cube is drawn as its unfolded net, Quoridor with its walls between the cells.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from rich.console import Console
from rich.text import Text

from glaux import _core
from glaux.cli.symbols import (
    FAINT_STYLE,
    FIRST_STYLE,
    OTHER_STYLE,
    SECOND_STYLE,
    Drawn,
    draw_symbol,
    sticker_style,
)
from glaux.looks.finding import look_of
from glaux.looks.look import Look
from glaux.rules.drawing import row_label
from glaux.rules.game import Game, State

LEGAL_STYLE = "bold #a6e3a1"
GROUNDS = ("#2a2e42", "#333850", "#242839")
LEVEL_GROUNDS = ("", "#474e72", "#626b99", "#8089bd", "#1f4fa3")
CHANGED_GROUND = "#6b5530"


def legal_cells(state: State) -> set[int]:
    """The cells to mark as legal: none where actions are not cells, or where it would not help.

    Marks help if they are at most half of the board and if some empty cell has none.
    """
    game = state.game
    if _column_actions(game):
        return set()
    paths = [game.action_cells(state, action) for action in game.actions(state)]
    marked = {path[0] for path in paths if len(path) == 1}
    codes = game.cells(state).ravel()
    there = [cell for cell in range(len(codes)) if game.spec.board.has(cell)]
    empty = {cell for cell in there if game.spec.symbols[codes[cell]].endswith(".")}
    return marked if len(marked) * 2 <= len(there) and not empty <= marked else set()


def draw_board(
    state: State, console: Console, changed: Collection[int] = (), legal: Collection[int] = ()
) -> Text:
    """The board with names of rows and columns on all sides, or the game's own drawing."""
    drawn = state.game.native.drawing(state)
    if drawn is None:
        return _Drawing(state, console, changed, legal).text()
    look = look_of(state.game)
    if coloured(console) and look.board.ground == "net":
        return draw_net(drawn, look)
    return draw_walls(drawn) if coloured(console) and look.board.ground == "walls" else Text(drawn)


def draw_walls(drawn: str) -> Text:
    """A board with walls: pawns in the colours of their players, walls bright, the rest faint."""
    text = Text(drawn, style=FAINT_STYLE)
    text.highlight_regex(r"[-|]+", OTHER_STYLE)
    text.highlight_regex("X", FIRST_STYLE)
    text.highlight_regex("O", SECOND_STYLE)
    return text


def draw_net(drawn: str, look: Look) -> Text:
    """The unfolded net of a cube with a coloured square for each sticker."""
    lines = drawn.split("\n")
    size = len(lines) // 3
    net = []
    for row, line in enumerate(lines):
        text = Text("\n" * (row > 0 and row % size == 0))
        for column in range(4 * size):
            # Between two faces there is a space more than between two stickers.
            at = 2 * column + column // size
            letter = line[at] if at < len(line) else " "
            text.append("  " * (column > 0 and column % size == 0))
            text.append(f" {letter} ", style=sticker_style(look.pieces.get(letter)))
        net.append(text)
    return Text("\n").join(net)


def coloured(console: Console) -> bool:
    """Whether the console shows colours."""
    return console.color_system is not None and not console.no_color


def _column_actions(game: Game) -> list[str]:
    """The texts of the actions if each is a column, as in Connect Four; else nothing."""
    start, columns = game.initial(), list(range(game.spec.board.columns))
    if game.spec.board.rows == 1 or game.spec.action_count != len(columns) or game.actions(start) != columns:
        return []
    texts = [game.action_text(start, column) for column in columns]
    return texts if max(map(len, texts)) <= 2 else []


@dataclass(frozen=True)
class _Drawing:
    state: State
    console: Console
    changed: Collection[int]
    legal: Collection[int]

    @property
    def board(self) -> _core.Board:
        return self.state.game.spec.board

    @cached_property
    def hexagonal(self) -> bool:
        return self.board.shape == _core.Shape.hexagonal

    @cached_property
    def coloured(self) -> bool:
        return coloured(self.console)

    @cached_property
    def codes(self) -> list[int]:
        codes: list[int] = self.state.game.cells(self.state).ravel().tolist()
        return codes

    @cached_property
    def look(self) -> Look:
        return look_of(self.state.game)

    @cached_property
    def symbols(self) -> list[Drawn]:
        """Of each code."""
        game = self.state.game
        first, ascii_only = game.first_player(self.state), self.console.options.ascii_only
        return [draw_symbol(self.look, symbol, first, ascii_only) for symbol in game.spec.symbols]

    @cached_property
    def column_actions(self) -> list[str]:
        return _column_actions(self.state.game)

    def text(self) -> Text:
        lines = [self._column_line(0)]
        for row in range(self.board.rows):
            lines += [Text()] * (row in self.tops) + [self._row_line(row)]
        lines.append(self._column_line(self.board.rows + 1 if self.hexagonal else 0))
        if not self.coloured:
            for line in lines:
                line.rstrip()
        return Text("\n").join(lines)

    # Several boards stand a cell apart.

    @cached_property
    def lefts(self) -> set[int]:
        """The columns with which a board begins beside another."""
        return {part.column for part in self.board.boards} - {0}

    @cached_property
    def tops(self) -> set[int]:
        return {part.row for part in self.board.boards} - {0}

    def _gap(self, column: int) -> str:
        return " " * self.cell_width * (column in self.lefts)

    # Widths: a cell is its symbol with a space on both sides, unless the screen is too narrow. Half
    # a cell, by which a hexagonal board leans from row to row, is a whole number.

    @cached_property
    def cell_width(self) -> int:
        symbol = len(self.state.game.spec.symbols[0])
        roomy, tight = symbol + 2, symbol + 1
        if self.hexagonal:
            roomy, tight = roomy + roomy % 2, tight + tight % 2
        lean = self.board.rows if self.hexagonal else 0
        needed = roomy * (self.board.columns + len(self.lefts)) + lean * roomy // 2 + 2 * self.label_width
        return roomy if needed <= self.console.width else tight

    @cached_property
    def label_width(self) -> int:
        """Of the names of rows, with a space; none where columns are the actions."""
        return 1 if self.column_actions else len(str(self.board.rows)) + 2

    def _indent(self, row: int) -> str:
        return " " * (row * self.cell_width // 2) if self.hexagonal else ""

    # Lines

    def _column_line(self, row: int) -> Text:
        letters = [self.board.column_text(column) for column in range(self.board.columns)]
        names = self.column_actions or letters
        symbol = len(self.state.game.spec.symbols[0])
        roomy = self.cell_width > symbol + 1
        cells = [
            self._gap(column) + (" " * roomy + name.rjust(symbol)).ljust(self.cell_width)
            for column, name in enumerate(names)
        ]
        # The line below a rhombus stands where one more row would.
        indent = self._indent(row - 1) if row else ""
        return Text(f"{indent}{' ' * self.label_width}{''.join(cells)}", style=self._edge_style(FIRST_STYLE))

    def _row_line(self, row: int) -> Text:
        name = "" if self.column_actions else row_label(self.board, row)
        style = self._edge_style(SECOND_STYLE)
        line = Text(self._indent(row))
        line.append(f"{name:>{self.label_width - 1}} ", style=style)
        for column in range(self.board.columns):
            line.append(self._gap(column)).append_text(self._cell(row * self.board.columns + column))
        return line.append(f" {name}", style=style)

    def _edge_style(self, owner: str) -> str:
        """Where a game is about its edges, the first player's are top and bottom, the second's the sides."""
        return owner if self.look.board.edges else FAINT_STYLE

    # Cells

    def _cell(self, cell: int) -> Text:
        if not self.board.has(cell):
            ground = f"on {self._ground(cell)}" if self.look.board.absent == "plain" else ""
            return Text(" " * self.cell_width, style=ground)
        shown = self._drawn(cell)
        left, right = self._brackets(cell, shown)
        body = f"{left}{shown.text}{right}" if self.cell_width > len(shown.text) + 1 else shown.text
        return Text(body.ljust(self.cell_width), style=self._style(cell, shown))

    def _drawn(self, cell: int) -> Drawn:
        shown = self.symbols[self.codes[cell]]
        if shown.empty and cell in self.legal:
            return shown._replace(text=shown.text[:-1] + "+", style=LEGAL_STYLE)
        return shown

    def _brackets(self, cell: int, shown: Drawn) -> tuple[str, str]:
        if self.coloured:
            return " ", " "
        if cell in self.changed:
            return "[", "]"
        return ("(", ")") if cell in self.legal and not shown.empty else (" ", " ")

    def _style(self, cell: int, shown: Drawn) -> str:
        ground = LEVEL_GROUNDS[min(shown.level, len(LEVEL_GROUNDS) - 1)] or self._ground(cell)
        ground = CHANGED_GROUND if cell in self.changed else ground
        mark = "underline " if cell in self.legal and not shown.empty else ""
        return f"{mark}{shown.style} on {ground}"

    def _ground(self, cell: int) -> str:
        """Two colours tell squares from their neighbours, hexagons need three."""
        row, column = divmod(cell, self.board.columns)
        return GROUNDS[(column - row) % 3 if self.hexagonal else (column + row) % 2]
