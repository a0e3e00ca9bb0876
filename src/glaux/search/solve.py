"""Proofs: the result of a state under best play, by alpha-beta with completion and no other knowledge.

The score of a game that has one is proven by asking whether it is above, at or below a threshold, a
few times with half the range gone each time; each question is a proof of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from glaux import _core
from glaux.rules.game import Game, State
from glaux.search.alpha_beta import AlphaBeta
from glaux.search.search import DEFAULT_MEMORY
from glaux.search.tree import Tree

REPORT_SECONDS = 0.5
"""before the first report of a proof; then twice as long each time, up to a minute"""


@dataclass(frozen=True)
class Solution:
    """What was found out. ``outcome`` and ``score`` are None if they could not be proven."""

    outcome: int | None
    resolved: bool
    principal_variation: list[int]
    expansions: int
    seconds: float
    score: float | None = None
    interrupted: bool = False
    """whether Ctrl-C has ended it"""
    between: tuple[int, int] | None = None
    """what the score is proven to be between, if it is not known"""


def solve(
    state: State,
    *,
    seconds: float = math.inf,
    memory: int = DEFAULT_MEMORY,
    seed: int = 0,
    terminal_value: _core.TerminalValue | None = None,
    report: Callable[[Tree, int, float], None] | None = None,
) -> Solution:
    """Prove the result of a state that is not terminal, or try for this many seconds.

    ``report`` is called now and then with the tree, the states expanded and the seconds so far; with it,
    Ctrl-C ends the proof with what is known by then.
    """
    search = AlphaBeta(state.game, seed=seed, memory=memory, terminal_value=terminal_value)
    expansions, taken, interrupted, longest = 0, 0.0, False, REPORT_SECONDS
    while True:
        slice_ = seconds if report is None else min(longest, max(0.0, seconds - taken))
        longest = min(2 * longest, 60.0)
        try:
            tree = search.run(state, seconds=slice_)
        except KeyboardInterrupt:
            if report is None or not expansions:
                raise
            interrupted = True
        statistics = search.native.statistics  # of this slice, also if it was interrupted
        expansions, taken = expansions + statistics.expansions, taken + statistics.seconds
        if report is None or interrupted or tree.resolved or taken >= seconds:
            break
        report(tree, expansions, taken)
    best = max if state.game.first_player(state) else min
    for_score = tree.resolved and state.game.spec.aim == _core.Aim.score
    return Solution(
        outcome=best(row.c for row in tree.children()) if tree.resolved else None,
        resolved=tree.resolved,
        principal_variation=tree.principal_variation(),
        expansions=expansions,
        seconds=taken,
        interrupted=interrupted,
        score=tree.value if for_score else None,
    )


def solve_score(
    state: State,
    *,
    seconds: float = math.inf,
    memory: int = DEFAULT_MEMORY,
    seed: int = 0,
    low: int,
    high: int,
    asked: Callable[[int, int], None] | None = None,
    report: Callable[[Tree, int, float], None] | None = None,
) -> Solution:
    """Prove the score of a state, a whole number between ``low`` and ``high``.

    ``asked`` is told the range that is left before each question. The expansions and seconds are
    those of all the questions; the principal variation is that of the last.
    """
    expansions, taken = 0, 0.0
    while True:
        if asked is not None:
            asked(low, high)
        threshold = (low + high) // 2
        answer = solve(
            state,
            seconds=max(0.0, seconds - taken),
            memory=memory,
            seed=seed,
            terminal_value=_core.ScoreAgainst(threshold),
            report=report,
        )
        expansions += answer.expansions
        taken += answer.seconds
        if answer.outcome == 1:
            low = threshold + 1
        elif answer.outcome == -1:
            high = threshold - 1
        score = threshold if answer.outcome == 0 else low
        if answer.outcome == 0 or (answer.resolved and low == high):
            outcome = (score > 0) - (score < 0)
            variation = answer.principal_variation
            return Solution(outcome, True, variation, expansions, taken, score)
        if not answer.resolved:
            variation = answer.principal_variation
            return Solution(None, False, variation, expansions, taken, None, answer.interrupted, (low, high))


def score_range(game: Game) -> tuple[int, int]:
    """A range that no score of the game leaves: one for each cell of the board."""
    cells = game.spec.board.rows * game.spec.board.columns
    return -cells, cells
