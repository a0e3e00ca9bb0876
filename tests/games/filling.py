"""The longest match of games in which stones are put in rows."""

from __future__ import annotations

from glaux import Game


def check_a_match_can_fill_the_board(game: Game) -> None:
    """The longest match is exact: rows of XXOO and OOXX in turn have no line of even three."""
    size = game.spec.board.rows
    colours = ["XXOO"[(column + 2 * row) % 4] for row in range(size) for column in range(size)]
    xs = [cell for cell, colour in enumerate(colours) if colour == "X"]
    os = [cell for cell, colour in enumerate(colours) if colour == "O"]
    s = game.initial()
    while xs or os:
        assert game.outcome(s) is None
        own, other = (xs, os) if game.first_player(s) else (os, xs)
        s = game.apply(s, (own or other).pop(0))  # the two colours may differ by a stone
    assert game.outcome(s) == 0
    assert game.ply(s) == game.spec.max_plies == size**2
