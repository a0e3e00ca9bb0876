"""What learners that play by search share: rounds of matches by a team of workers, and learning after them.

    repeat:  play a match, or some in lock-step (worker.py)
             put what there is to learn into the replay memory, and learn from what it gives

With one worker and one match at a time this is the papers' sequential mode, and a training run is determined
by its seed (if the searches are limited by iterations or evaluations; time is never the same twice).
Matches in lock-step are a round: they begin with one value function, and when the last of them has ended
each is learned from in the order of their numbers, so that rounds are determined by the seed, too. With
more workers each plays rounds of its own, and they are learned from as they come. All workers change one
set of tables of an n-tuple network without waiting for each other; of a neural network one round is learned
at a time. Workers on a cluster play for a learner here in the same way (cluster_team.py).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from glaux.arrays import Arrays
from glaux.learn.clock import check_elsewhere
from glaux.learn.cluster_team import ClusterTeam
from glaux.learn.config import Config
from glaux.learn.learner import Goal, Learned, Learner, Listener
from glaux.learn.replay import Replay
from glaux.learn.stopping import Stopped
from glaux.learn.team import Player, Team, Unplayed
from glaux.learn.worker import Played, SelfPlayConfig
from glaux.values.examples import STATES, Examples, Layout, pairs


class SelfPlay(Learner):
    """Matches by search, and learning from what the searches have found."""

    config: SelfPlayConfig
    replay: Replay | None
    """what is kept of earlier matches; None: nothing"""

    def __init__(self, config: Config, saved: Path | None = None) -> None:
        super().__init__(config, saved)
        self.replay = self.make_replay()
        self.team: Team = Team(self.config, self.value)

    def play_on(self, address: str, workers: int | None = None) -> None:
        """Let the matches be played on a cluster."""
        check_elsewhere(self.config.clock)
        self.team = ClusterTeam(self.config, self.value, address, workers or self.config.workers)

    @abstractmethod
    def make_replay(self) -> Replay | None:
        """The empty replay memory."""

    @abstractmethod
    def experience(self, examples: Examples) -> list[Examples]:
        """What to learn after a match, in minibatches."""

    @property
    def layout(self) -> Layout:
        """What the examples of a match look like."""
        return pairs(self.game.array([]), np.empty(0, np.float32)).layout

    def train(
        self, *, seconds: float | None = None, matches: int | None = None, listener: Listener | None = None
    ) -> None:
        """Train until the whole training has taken this many seconds, or has this many matches."""
        goal = Goal(self, seconds, matches)
        dealt = _Dealt(self.matches, self.config.lockstep)
        with self.team as team:
            playing: dict[Future[list[Played]], tuple[Player, range]] = {}
            learning: dict[Future[list[Learned]], _Round] = {}
            while True:
                while team.idle and not self.stopping and not goal.over(dealt.begun):
                    progress = goal.share(dealt.begun)
                    player, numbers = team.idle.pop(), dealt.next(goal)
                    playing[team.submit(player, numbers, progress, goal.play_seconds)] = player, numbers
                if not playing and not learning and (self.stopping or goal.over(dealt.begun)):
                    return
                over = team.wait({*playing, *learning})
                for future in over & playing.keys():
                    player, numbers = playing.pop(future)
                    try:
                        played = team.result(player, future)
                    except Stopped:
                        continue  # or the time is over: abandoned, as if it had not begun
                    except Unplayed:
                        dealt.again.append(numbers)
                        continue
                    # What is learned is drawn here, one round after the other; only the steps may overlap.
                    around = _Round(player, played, self.clock())
                    self.whole = not team.alone  # others are learning all the time
                    drawn = [self.experience(match.examples) for match in around.matches]
                    around.drawn = self.clock()
                    self.value.progress = min(goal.share(self.matches), 1.0)
                    learning[team.learners.submit(self._steps, drawn)] = around
                for future in over & learning.keys():
                    around, learned = learning.pop(future), future.result()
                    self.whole = True
                    goal.learning = max(goal.learning, self.clock() - around.ended)
                    self._absorb(around, learned, goal.elapsed, listener)
                    team.idle.append(around.player)

    def stop(self) -> None:
        """Matches that are being played are abandoned, those that are being learned from are finished."""
        super().stop()
        self.team.stop()

    def _steps(self, drawn: Iterable[Iterable[Examples]]) -> list[Learned]:
        return [self.steps(batches) for batches in drawn]

    def _absorb(
        self, around: _Round, learned: list[Learned], elapsed: float, listener: Listener | None
    ) -> None:
        """Count the matches of a round that have been learned from, and tell the listener."""
        self.elapsed = elapsed
        finished, figures = [], self.value.figures()
        # A match is learned from when its turn comes, or with others after it: what is left is shared by all.
        rest = self.clock() - around.drawn - sum(steps.seconds for steps in learned)
        waited = max(0.0, rest) / len(learned)
        for played, steps in zip(around.matches, learned, strict=True):
            kept = len(self.replay) if self.replay is not None else 0
            seconds = {
                "search": played.search_seconds,
                "play": played.seconds - played.search_seconds,
                "fit": steps.seconds,
                "replay": (around.drawn - around.ended) / len(around.matches),
                "wait": waited,
            }
            finished.append(self.count(played, steps, kept, seconds, figures))
        if listener is not None:
            listener(finished)

    # For checkpoints

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """With the replay memory."""
        plain, arrays = super().state()
        if self.replay is not None:
            kept, plain["replay"] = self.replay.state()
            arrays |= {f"replay.{name}": array for name, array in kept.items()}
        return plain, arrays

    def restore(self, plain: Mapping[str, Any], arrays: Arrays) -> None:
        """Continue where :meth:`state` was taken.

        Native code trusts the states that it is given, so that the rules look at each of them here.
        """
        super().restore(plain, arrays)
        if self.replay is not None:
            kept = {k.removeprefix("replay."): v for k, v in arrays.items() if k.startswith("replay.")}
            for examples in self.replay.restore(kept, plain["replay"], self.layout):
                self.game.array(examples[STATES])


class _Dealt:
    """The numbers of the matches, as they are dealt out to players."""

    def __init__(self, matches: int, size: int) -> None:
        self._last, self._size = matches, size
        self.again: list[range] = []
        """those that were dealt out, and were not played"""

    @property
    def begun(self) -> int:
        """Matches so far, those that are being played included."""
        return self._last - sum(map(len, self.again))

    def next(self, goal: Goal) -> range:
        """The numbers of a round."""
        if self.again:
            return self.again.pop(0)
        first = self._last + 1
        self._last += min(self._size, goal.left(self._last))
        return range(first, self._last + 1)


@dataclass
class _Round:
    """Matches that were played together, on their way through the training."""

    player: Player
    matches: list[Played]
    ended: float
    """when they were over"""
    drawn: float = 0.0
    """when it was drawn what is learned after them"""
