"""Draughts by whole turns, as people count moves: a capture of several pieces is one."""

import glaux


def turns(game: glaux.Game, s: glaux.State) -> set[glaux.State]:
    """The positions to which the turns of the player lead."""
    ends: set[glaux.State] = set()
    ways = [s]
    while ways:
        here = ways.pop()
        for action in game.actions(here):
            after = game.apply(here, action)
            under_way = game.first_player(after) == game.first_player(s) and not game.terminal(after)
            (ways.append if under_way else ends.add)(after)
    return ends


def perft(game: glaux.Game, depth: int) -> int:
    """The number of sequences of so many turns from the start."""
    frontier = {game.initial(): 1}
    for _ in range(depth):
        following: dict[glaux.State, int] = {}
        for s, ways in frontier.items():
            for after in turns(game, s):
                following[after] = following.get(after, 0) + ways
        frontier = following
    return sum(frontier.values())


def position(game: glaux.Game, pieces: str, player: str = "X") -> glaux.State:
    """Pieces as `X32 K5 O19`, on numbered squares, at the first ply at which the others can be gone."""
    size = game.spec.board.rows
    rows = [["."] * (size // 2) for _ in range(size)]
    for piece in pieces.split():
        row, column = divmod(int(piece[1:]) - 1, size // 2)
        rows[row][column] = piece[0]
    board = "/".join("".join(row) for row in rows)
    captured = size * (size - 2) // 2 - len(pieces.split())
    return game.parse_state(f"{board} {player} {captured} - 0 -")


def texts(game: glaux.Game, s: glaux.State) -> set[str]:
    return {game.action_text(s, a) for a in game.actions(s)}
