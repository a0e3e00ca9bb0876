"""Matches between players, some of them with the value functions that are being trained meanwhile."""

from __future__ import annotations

import json
import random
import signal
from collections.abc import Sequence

from glaux.directories import checkpoints
from glaux.soak.kinds import GAME, NETWORK
from glaux.soak.ledger import Ledger, Place
from glaux.soak.part import BEAT, PATIENCE, Part
from glaux.soak.programs import Program
from glaux.words import plural

GAMES_A_MATCH = 20


class Matches(Part):
    """Matches between players, those of the training runs among them."""

    title = "matches"
    name, network_name = "match", "match-network"
    """the second if a neural network plays, which takes much more memory"""
    others = ("mcts:iterations=100", "alphabeta:depth=3,value=playouts", "ubfms:value=playouts,iterations=50")

    def __init__(self, place: Place, ledger: Ledger) -> None:
        super().__init__(place, ledger)
        self.random = random.Random(place.seed)
        self.games = 0

    def line(self) -> str:
        """Games so far."""
        return plural(self.games, "game")

    def work(self) -> None:
        """One contest after the other."""
        number = 0
        while not self.stop.is_set():
            number += 1
            players = [self._trained() or self.others[0], self.random.choice(self.others)]
            self.random.shuffle(players)
            options = ["--games", str(GAMES_A_MATCH), "--opening", "2", "--workers", "1", "--json"]
            name = self.network_name if NETWORK in "".join(players) else self.name
            with self.program(name, ["match", GAME, *players, *options, "--seed", str(number)]) as program:
                while program.ended() is None and not self.stop.wait(BEAT):
                    if program.seconds > PATIENCE:
                        self.ledger.fault(f"{' against '.join(players)} took more than {PATIENCE:.0f} s.")
                        break
                if program.ended() is None:
                    program.stop(signal.SIGINT, PATIENCE)
                    continue
                self._count(program, players)

    def _trained(self) -> str | None:
        """A player with the newest value of some run."""
        ready = [path for path in sorted(self.place.runs.glob("*")) if checkpoints(path)]
        return f"ubfms:value={self.random.choice(ready)},evaluations=200" if ready else None

    def _count(self, program: Program, players: Sequence[str]) -> None:
        try:
            found = json.loads(program.output())
            played, forfeits = found["games"], found["forfeits"]
        except (ValueError, KeyError):
            played, forfeits = 0, []
        if program.ended() != 0 or program.said() or played != GAMES_A_MATCH or any(forfeits):
            self.crashed(
                f"{' against '.join(players)}, {plural(played, 'game')}, forfeits {forfeits}", program
            )
        self.games += played
