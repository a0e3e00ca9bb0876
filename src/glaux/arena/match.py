"""One match between two players."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field

from glaux import _core
from glaux.errors import Forfeit, InvalidAction, InvalidParameter
from glaux.players.player import Player
from glaux.rules.game import Game, State
from glaux.words import plural

OPENING_TRIES = 100


@dataclass(frozen=True)
class PlayedMatch:
    """How a match went. ``actions`` start with those of the opening."""

    outcome: int
    """+1, 0 or -1 for the first player"""
    actions: list[int]
    opening: int = 0
    """how many of the actions were the opening's"""
    seconds: tuple[float, float] = (0.0, 0.0)
    """thinking time of the first and the second player"""
    choices: tuple[int, int] = field(default=(0, 0))
    """actions chosen by the first and the second player"""
    score: float | None = None
    """of the end, if the game is played for that"""
    forfeit: str = ""
    """why the loser gave up, if it did not lose by the rules"""


def random_opening(game: Game, plies: int, seed: int) -> list[int]:
    """Random actions from the start after which the match is not over."""
    rng = random.Random(seed)
    for _ in range(OPENING_TRIES):
        state = game.initial()
        actions: list[int] = []
        while len(actions) < plies and not game.terminal(state):
            actions.append(rng.choice(game.actions(state)))
            state = game.apply(state, actions[-1])
        if not game.terminal(state):
            return actions
    raise InvalidParameter(
        f"{game.spec.title} rarely lasts {plural(plies, 'action')}: choose a shorter opening."
    )


def play_match(
    game: Game,
    first: Player,
    second: Player,
    opening: list[int] | None = None,
    start: State | None = None,
) -> PlayedMatch:
    """Let two players play a match, from the given start and after the given opening, if any."""
    state = game.initial() if start is None else start
    actions = list(opening or [])
    for action in actions:
        state = game.apply(state, action)
    players = (first, second)
    seconds, choices = [0.0, 0.0], [0, 0]
    for player in players:
        player.begin()
    forfeit = ""
    while not game.terminal(state):
        side = 0 if game.first_player(state) else 1
        begun = time.perf_counter()
        try:
            action = players[side].choose(state, actions)
        except Forfeit as error:
            outcome, forfeit = (-1 if side == 0 else 1), str(error)
            break
        finally:
            seconds[side] += time.perf_counter() - begun
            choices[side] += 1
        actions.append(action)
        state = _applied(game, state, action, side)
    else:
        ended = game.outcome(state)
        assert ended is not None
        outcome = ended
    for_score = game.spec.aim == _core.Aim.score and not forfeit
    return PlayedMatch(
        outcome=outcome,
        actions=actions,
        opening=len(opening or []),
        seconds=(seconds[0], seconds[1]),
        choices=(choices[0], choices[1]),
        score=game.score(state) if for_score else None,
        forfeit=forfeit,
    )


def _applied(game: Game, state: State, action: int, side: int) -> State:
    try:
        return game.apply(state, action)
    except InvalidAction:
        name = ("first", "second")[side]
        raise InvalidAction(f"The {name} player chose action {action}, which is not legal.") from None
