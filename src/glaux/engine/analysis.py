"""Analysis as the tools of Go read it: ``lz-analyze`` of Leela Zero and ``kata-analyze`` of KataGo.

The answer begins at once and goes on: a line every so often, with ``info move D4 visits 12 ...`` for each
action that was looked at, the best first, until anything else is said. Values are the mover's. A win rate
comes from a value as on the page (``share_of``): it is a probability only if the value is one. Where ends
are worth their score, so is ``scoreLead``. ``lz-genmove_analyze`` and ``kata-genmove_analyze`` end with
``play D4`` when the player has decided.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from glaux.engine.session import GtpSession
from glaux.engine.thinking import thoughts, wait
from glaux.errors import GlauxError, InvalidParameter
from glaux.players.evaluation import rank_of
from glaux.players.searching import SearchPlayer
from glaux.players.shares import share_of
from glaux.protocols.dialects import COLOURS, parse_colour
from glaux.search.tree import Row, Tree

INTERVAL = 0.5
"""seconds between two lines, if nobody says"""
MOST_MOVES = 50
LINE = 15
"""actions of a variation"""
Waiting = Callable[[], str | None]


@dataclass(frozen=True)
class Wish:
    """What is to be analysed, and how it is told."""

    colour: str = ""
    """for this player; empty: for the player to move"""
    interval: float = INTERVAL
    moves: int = MOST_MOVES


def parse_wish(arguments: Sequence[str]) -> Wish:
    """``[COLOUR] [INTERVAL] [KEY VALUE ...]``, the interval in hundredths of a second.

    Keys that ask for more than we know, as ``ownership``, are passed over.
    """
    words = list(arguments)
    colour = parse_colour(words.pop(0)) if words and words[0].lower() in COLOURS else ""
    interval = _whole(words.pop(0)) if words and words[0][:1].isdecimal() else None
    settings = dict(zip(words[::2], words[1::2], strict=False))
    if "interval" in settings:
        interval = _whole(settings["interval"])
    moves = _whole(settings["maxmoves"]) if "maxmoves" in settings else MOST_MOVES
    return Wish(colour, INTERVAL if interval is None else interval / 100, max(1, moves))


def _whole(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise InvalidParameter(f"syntax error: '{text[:40]}' is not a whole number")
    return int(text)


def analyze(kind: str, session: GtpSession, first: bool, wish: Wish, waiting: Waiting) -> Iterator[str]:
    """The lines of an analysis until somebody says something, with the empty one at the end."""
    player, before = searching(session), session.give_turn(first)

    def stopped() -> bool:
        return waiting() is not None

    try:
        for tree in _told(thoughts(player, session.state, None, stopped, endless=True), wish.interval):
            yield _line(kind, session, player, tree, wish.moves)
        wait(stopped)
    finally:
        session.restore(before)
    yield "\n"


def analyze_and_play(kind: str, session: GtpSession, first: bool, wish: Wish, _: Waiting) -> Iterator[str]:
    """The same while the player decides, and what it plays."""
    player, before = searching(session), session.give_turn(first)
    begun, seconds = time.monotonic(), session.seconds_for(first, player.limits["seconds"])
    try:
        for tree in _told(thoughts(player, session.state, seconds, lambda: False), wish.interval):
            yield _line(kind, session, player, tree, wish.moves)
        text = session.dialect.write(session.state, player.decide(tree))
    finally:
        session.restore(before)
    session.spend(first, time.monotonic() - begun)
    session.play(first, [text])
    session.generated = session.state
    yield f"play {text}\n\n"


ANALYSES: dict[str, Callable[[GtpSession, bool, Wish, Waiting], Iterator[str]]] = {
    "lz-analyze": partial(analyze, "lz"),
    "kata-analyze": partial(analyze, "kata"),
    "lz-genmove_analyze": partial(analyze_and_play, "lz"),
    "kata-genmove_analyze": partial(analyze_and_play, "kata"),
}


def searching(session: GtpSession) -> SearchPlayer:
    """The player of a session; GlauxError if it does not search."""
    if not isinstance(session.player, SearchPlayer):
        raise GlauxError("This player does not search: it has no analysis.")
    return session.player


def _told(trees: Iterator[Tree], interval: float) -> Iterator[Tree]:
    """The trees that are told: one in every interval, and the last."""
    last, untold = time.monotonic(), None
    for tree in trees:
        untold = tree
        if time.monotonic() - last >= interval:
            last, untold = time.monotonic(), None
            yield tree
    if untold is not None:
        yield untold


def _line(kind: str, session: GtpSession, player: SearchPlayer, tree: Tree, most: int) -> str:
    first = session.game.first_player(tree.root)
    rows = sorted(tree.children(), key=lambda row: rank_of(row, first, tree.action), reverse=True)
    seen = [row for row in rows if row.n or row.r or row.action == tree.action][:most]
    parts = [_row(kind, session, player, tree, row, order) for order, row in enumerate(seen)]
    return " ".join(parts) + "\n"


def _row(kind: str, session: GtpSession, player: SearchPlayer, tree: Tree, row: Row, order: int) -> str:
    game = session.game
    sign = 1 if game.first_player(tree.root) else -1
    share = sign * (row.c if row.r else share_of(row.v, player.scale))
    rate, prior = (1 + share) / 2, 1 / len(game.actions(tree.root))
    child = game.apply(tree.root, row.action)
    following = [] if game.terminal(child) else tree.principal_variation(child)
    line = " ".join(session.texts([row.action, *following[: LINE - 1]]))
    move = session.dialect.write(tree.root, row.action)
    if kind == "lz":
        rates = f"winrate {round(10000 * rate)} prior {round(10000 * prior)} lcb {round(10000 * rate)}"
    else:
        lead = sign * row.v if game.spec.has_score and player.scale > 1 else 0.0
        rates = (
            f"utility {share:.4f} winrate {rate:.4f} scoreMean {lead:.2f} scoreStdev 0 scoreLead {lead:.2f} "
            f"prior {prior:.4f} lcb {rate:.4f} utilityLcb {share:.4f}"
        )
    return f"info move {move} visits {max(1, row.n)} {rates} order {order} pv {line}"
