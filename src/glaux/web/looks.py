"""The look of a game as the page needs it: cells by their numbers, and nothing of protocols."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from glaux import _core
from glaux.looks.look import Look
from glaux.rules.cells import cell_names


def page_look(look: Look, board: _core.Board | None = None) -> dict[str, Any]:
    """The parts of a look that are seen; decorations of cells that the board has, if one is given."""
    names = cell_names(board) if board is not None else {}
    seen = asdict(look.board)
    for key in ("marks", "lines"):
        decorations = list(seen[key])
        for one in decorations:
            one["cells"] = [names[name] for name in one["cells"] if name in names]
        seen[key] = decorations
    return {
        "board": seen,
        "pieces": {symbol: asdict(piece) for symbol, piece in look.pieces.items()},
        "colours": {key: tone for key, tone in asdict(look.colours).items() if tone},
        "night": {key: tone for key, tone in asdict(look.night).items() if tone},
        "players": asdict(look.players),
        "thumbnail": list(look.thumbnail),
    }
