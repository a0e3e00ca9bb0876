"""Matches of two people on two pages: a room has the moves, and each of them a seat.

A seat is a word that nobody can guess; whoever has it plays one side. The pages ask every second or so
what is new and send what they have played, so that a lost connection costs nothing. Rooms are in memory: they
are gone when the server ends, and the one that nobody has looked at for the longest time gives way to a new
one.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from glaux.errors import InvalidAction, InvalidParameter, UnknownName
from glaux.rules.game import Game, State
from glaux.web.catalogue import Catalogue
from glaux.web.models import ACTIONS
from glaux.web.positions import move

MOST = 1000
"""rooms at a time"""
PRESENT_SECONDS = 10.0
"""after which somebody who has not asked counts as away"""


@dataclass
class Room:
    """One match."""

    game: Game
    start: str | None
    states: list[State]
    seats: dict[bool, str]
    """the words of the first and the second player"""
    moves: list[dict[str, Any]] = field(default_factory=list)
    resigned: bool | None = None
    """whether the first player has resigned"""
    seen: dict[bool, float] = field(default_factory=dict)
    """when each of them has last asked"""
    made: float = field(default_factory=time.monotonic)

    @property
    def used(self) -> float:
        """When somebody has last asked."""
        return max([self.made, *self.seen.values()])


class Rooms:
    """All of them."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._seats: dict[str, tuple[Room, bool]] = {}
        self._lock = Lock()

    def open(self, game_text: str, start: str | None, first: bool) -> dict[str, str]:
        """A new room: the seat of who opens it, and that of the friend."""
        game = self.catalogue.game(game_text)
        if game.spec.players != 2:
            raise InvalidParameter("Only games for two players can be played with a friend.")
        state = game.initial() if start is None else game.parse_state(start)
        seats = {side: secrets.token_urlsafe(18) for side in (True, False)}
        room = Room(game, start, [state], seats)
        with self._lock:
            if len(self._seats) >= 2 * MOST:
                self._close(min((one for one, _ in self._seats.values()), key=lambda one: one.used))
            for side, word in seats.items():
                self._seats[word] = (room, side)
        return {"seat": seats[first], "friend": seats[not first]}

    def look(self, seat: str, after: int) -> dict[str, Any]:
        """The match as it stands, with the moves from a ply on."""
        with self._lock:
            room, first = self._find(seat)
            room.seen[first] = time.monotonic()
            return {
                "game": self.catalogue.text(room.game),
                "start": room.start,
                "first": first,
                "count": len(room.moves),
                "moves": room.moves[after:],
                "resigned": room.resigned,
                "present": time.monotonic() - room.seen.get(not first, -1e9) < PRESENT_SECONDS,
            }

    def play(self, seat: str, ply: int, action: int) -> None:
        """Play an action of this seat; the same one again, sent twice, is none."""
        with self._lock:
            room, first = self._find(seat)
            if ply < len(room.moves) and room.moves[ply]["action"] == action:
                return
            state = room.states[-1]
            if ply != len(room.moves):
                raise InvalidAction(f"The match is at move {len(room.moves)}, not {ply}.")
            if room.resigned is not None or room.game.terminal(state) or ply >= ACTIONS:
                raise InvalidAction("The match is over.")
            if room.game.first_player(state) != first:
                raise InvalidAction("It is your friend's turn.")
            following = room.game.apply(state, action)
            room.moves.append(move(room.game, state, action))
            room.states.append(following)

    def resign(self, seat: str) -> None:
        """Give the match up."""
        with self._lock:
            room, first = self._find(seat)
            if room.resigned is None and not room.game.terminal(room.states[-1]):
                room.resigned = first

    def _find(self, seat: str) -> tuple[Room, bool]:
        if seat not in self._seats:
            raise UnknownName("This match is no longer on the server.")
        return self._seats[seat]

    def _close(self, room: Room) -> None:
        for word in room.seats.values():
            del self._seats[word]
