"""Thinking that can be watched and stopped: a search in slices, each going on where the last ended."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from glaux.players.player import Player
from glaux.players.searching import SearchPlayer
from glaux.rules.game import State
from glaux.search.tree import Tree

SLICE, LEAST = 0.1, 0.001
"""seconds"""
PAUSE = 0.01
"""seconds between two looks at what a GUI says, when there is nothing to think about"""

Stopped = Callable[[], bool]


def thoughts(
    player: SearchPlayer,
    state: State,
    seconds: float | None,
    stopped: Stopped,
    evaluations: int | None = None,
    depth: int | None = None,
    endless: bool = False,
) -> Iterator[Tree]:
    """What a player has found after each slice, for this many seconds; None: until it is stopped.

    It ends earlier when it is stopped, the state is solved, memory is full, or the given number of states or
    depth is reached. A player whose limit is iterations or evaluations thinks once, within them and these
    seconds, unless it is to think without end.
    """
    limits = player.limits
    if not endless and (limits["iterations"] is not None or limits["evaluations"] is not None):
        player.allowance = None if seconds is None else max(LEAST, seconds)
        yield player.think(state)
        return
    end = None if seconds is None else time.monotonic() + seconds
    while True:
        left = SLICE if end is None else min(SLICE, end - time.monotonic())
        tree = player.search.run(state, seconds=max(LEAST, left), evaluations=evaluations)
        yield tree
        late = end is not None and time.monotonic() >= end
        if evaluations is not None:
            evaluations -= tree.statistics.evaluations
            late = late or evaluations <= 0
        late = late or (depth is not None and tree.statistics.depth >= depth)
        # A search to a depth is done when it is there.
        done = left == SLICE and tree.statistics.seconds < SLICE / 2 and not tree.statistics.full
        if late or done or tree.resolved or stopped():
            break
        if tree.statistics.full and not player.search.forget_others(state):
            break


def ponder(player: Player, state: State, heard: Stopped) -> None:
    """Think in the opponent's time, until something is heard.

    What is found stays in the table, where the next decision finds it.
    """
    if isinstance(player, SearchPlayer) and not state.game.terminal(state):
        for _ in thoughts(player, state, None, heard, endless=True):
            pass


def line_of(tree: Tree) -> list[int]:
    """What would be played, and how the match goes on then, as far as it is known.

    A search may play another action than the one of the highest value, as the safest.
    """
    best = tree.principal_variation()
    if best[:1] == [tree.action]:
        return best
    game, after = tree.root.game, tree.root.game.apply(tree.root, tree.action)
    return [tree.action, *([] if game.terminal(after) else tree.principal_variation(after))]


class Thinker:
    """A player of any kind, who thinks about a state as long as a GUI wants it."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.choice = 0
        """the action that was chosen last"""

    @property
    def seconds(self) -> float | None:
        """The player's own limit, within which those of a GUI are kept."""
        return self.player.limits["seconds"] if isinstance(self.player, SearchPlayer) else None

    def think(
        self,
        state: State,
        history: Sequence[int],
        seconds: float | None,
        stopped: Stopped,
        evaluations: int | None = None,
        depth: int | None = None,
    ) -> Iterator[Tree]:
        """What the player finds, as ``thoughts``; at the end its action is chosen.

        Without a choice, or if it does not search, the player finds nothing.
        """
        legal = state.game.actions(state)
        if len(legal) == 1:
            self.choice = legal[0]
        elif isinstance(self.player, SearchPlayer):
            for tree in thoughts(self.player, state, seconds, stopped, evaluations, depth):
                self.choice = self.player.decide(tree)
                yield tree
        else:
            self.choice = self.player.choose(state, history)


def wait(stopped: Stopped) -> None:
    """Wait until a GUI says that it is enough."""
    while not stopped():
        time.sleep(PAUSE)
