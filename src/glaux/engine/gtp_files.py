"""GTP's commands about how a match begins and ends: SGF files, handicaps, and which stones are dead."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from glaux.engine.session import GtpSession
from glaux.errors import GlauxError, InvalidParameter
from glaux.foreign import read_foreign
from glaux.looks.finding import look_of
from glaux.records.files import LARGEST
from glaux.records.record import Record
from glaux.records.sgf import read_sgf, set_up, write_sgf
from glaux.rules.cells import cell_names
from glaux.rules.positions import symbols_of

SMALLEST_HANDICAP_BOARD = 7
MOST_FIXED = 9


class SgfCommands:
    """Loads, prints and sets up the match of a session."""

    def __init__(self, session: GtpSession) -> None:
        self.session = session

    def load(self, arguments: Sequence[str]) -> None:
        """``loadsgf FILE [N]``: the match of a file, up to the position before its N-th move."""
        if not arguments or len(arguments) > 2 or not re.fullmatch(r"[0-9]{0,9}", "".join(arguments[1:])):
            raise InvalidParameter("syntax error: a file is needed, and the number of a move")
        try:
            (record, *_) = read_sgf(read_foreign(Path(arguments[0]), LARGEST, links=True))
        except (GlauxError, OSError, ValueError) as error:
            raise InvalidParameter(f"cannot load file: {error}") from None
        if record.game.name != self.session.game.name:
            raise InvalidParameter(f"cannot load file: it is a match of {record.game.spec.title}")
        actions = record.actions
        if len(arguments) == 2:
            silent = look_of(record.game).sgf.silent_passes
            said = [ply for ply, text in enumerate(record.texts) if not (silent and text == "pass")]
            actions = actions[: [*said, len(actions)][min(max(0, int(arguments[1]) - 1), len(said))]]
        self.session.load(Record(record.start, record.players).play_all(actions))

    def write(self, arguments: Sequence[str]) -> str:
        """``printsgf [FILE]``: the match as SGF, in the answer or in a file."""
        data = write_sgf(self.session.record)
        if not arguments:
            return data.decode("utf-8", "replace").strip()
        try:
            Path(" ".join(arguments)).write_bytes(data)
        except OSError as error:
            raise InvalidParameter(f"cannot write file: {error.strerror}") from None
        return ""

    def fixed_handicap(self, arguments: Sequence[str]) -> str:
        """``fixed_handicap N``: black stones on the points of GTP's table, which are told."""
        if len(arguments) != 1 or not re.fullmatch(r"[0-9]{1,3}", arguments[0]):
            raise InvalidParameter("syntax error: a number of stones is needed")
        points = self._points()
        number = int(arguments[0])
        if not 2 <= number <= min(MOST_FIXED, len(points)):
            raise InvalidParameter("invalid number of stones")
        with_middle = [*points[: number - 1], points[-1]]
        chosen = with_middle if number in (5, 7) else points[:number]
        return self.free_handicap(chosen, tell=True)

    def free_handicap(self, arguments: Sequence[str], tell: bool = False) -> str:
        """``set_free_handicap CELL ...``: black stones where the controller wants them."""
        session, cells = self.session, [cell.lower() for cell in arguments]
        if not look_of(session.game).sgf.setup:
            raise InvalidParameter(f"{session.game.spec.title} has no handicap")
        if session.record.actions or session.record.start != session.game.initial():
            raise InvalidParameter("board not empty")
        if len(set(cells)) != len(cells) or len(cells) < 2 or not set(cells) <= self._names().keys():
            raise InvalidParameter("bad vertex list")
        session.load(Record(set_up(session.game, dict.fromkeys(cells, "X"), first=False)))
        return " ".join(cell.upper() for cell in cells) if tell else ""

    def final_status_list(self, arguments: Sequence[str]) -> str:
        """``final_status_list alive|seki|dead``: the stones that are; all count as alive."""
        session = self.session
        if list(arguments) not in (["alive"], ["seki"], ["dead"]):
            raise InvalidParameter("syntax error: alive, seki or dead")
        if not look_of(session.game).sgf.setup:
            raise InvalidParameter(f"{session.game.spec.title} has no dead stones")
        empty, board = session.game.spec.symbols[0], session.game.spec.board
        stones = [cell for cell, symbol in symbols_of(session.state).items() if symbol != empty]
        return " ".join(board.cell_text(cell).upper() for cell in stones) if arguments[0] == "alive" else ""

    def _names(self) -> dict[str, int]:
        return cell_names(self.session.game.spec.board)

    def _points(self) -> list[str]:
        """The star points in the order in which GTP uses them, the middle at the end."""
        board = self.session.game.spec.board
        size = board.rows
        if size < SMALLEST_HANDICAP_BOARD or size != board.columns:
            return []
        low = 2 if size < 12 else 3
        high, middle = size - 1 - low, size // 2
        corners = [(low, low), (high, high), (low, high), (high, low)]  # columns and rows from the bottom
        sides = [(low, middle), (high, middle), (middle, low), (middle, high), (middle, middle)]
        places = corners + (sides if size % 2 and size > SMALLEST_HANDICAP_BOARD else [])
        return [board.cell_text((size - 1 - row) * size + column) for column, row in places]
