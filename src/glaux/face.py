"""The entry points for programs and notebooks: a training run, a match and a player in one call each.

    run = glaux.train("connect_four", minutes=2, on_progress=print)
    print(glaux.match("connect_four", run, "mcts:iterations=1000", games=20))
    player = glaux.player(run, "connect_four")

Each is what the command of the same name does, without its display.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from glaux.arena.contest import Contest, Side, Standing, play_contest
from glaux.errors import InvalidParameter
from glaux.learn.config import Config
from glaux.learn.listing import RUNS
from glaux.learn.preset import DEFAULT, configure, find_preset
from glaux.learn.registry import change_config, make_learner
from glaux.learn.run import Run, free_path
from glaux.learn.sizing import fit
from glaux.learn.training import Status, Training
from glaux.players.player import Player
from glaux.players.registry import make_player
from glaux.rules.game import Game
from glaux.rules.registry import is_named, make


def train(
    game: str | Game,
    *,
    preset: str = DEFAULT,
    config: Config | None = None,
    minutes: float | None = None,
    matches: int | None = None,
    run: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
    on: str | None = None,
    on_progress: Callable[[Status], None] | None = None,
) -> Run:
    """Train from scratch, as ``glaux train`` does, and return the run.

    The settings are those of a preset, or a whole ``config`` of the game; ``settings`` change some of them as
    ``--set`` does: ``{"workers": 1, "search.evaluations": 500}``. Training stops after ``minutes`` or
    ``matches``; by default the preset's. ``on`` is the address of a cluster that plays the matches
    (docs/cluster.md). ``on_progress`` is called after every round of matches with the
    :class:`~glaux.learn.training.Status`; an exception in it saves and ends the run, as Ctrl-C does.
    """
    begun, text = time.perf_counter(), game if isinstance(game, str) else game.text
    for name, number in (("minutes", minutes), ("matches", matches)):
        if number is not None and not number > 0:
            raise InvalidParameter(f"The {name} of a training run must be more than 0, not {number}.")
    chosen = find_preset(text, preset)
    if minutes is None and matches is None:
        minutes, matches = (None, chosen.matches) if chosen.matches else (chosen.minutes, None)
    seconds = None if minutes is None else 60 * minutes
    if config is None:
        config = configure(text, chosen)
        config = config if seconds is None else fit(config, seconds)
    elif not is_named(make(text), config.game):
        raise InvalidParameter(f"These are settings of {config.game}, not of {text}.")
    config = change_config(config, [f"{name}={_written(value)}" for name, value in (settings or {}).items()])
    learner = make_learner(config)
    if on is not None:
        learner.play_on(on)
    place = Run.create(Path(run) if run is not None else free_path(RUNS, config), config)
    training = Training(place, learner, seconds=seconds, matches=matches, observer=on_progress, begun=begun)
    training.go()
    return place


def match(
    game: str | Game,
    a: str | Run,
    b: str | Run,
    *,
    games: int = 20,
    opening: int = 0,
    seed: int = 0,
    side: str = "both",
    workers: int | None = 1,
    on: str | None = None,
) -> Standing:
    """Play a match between A and B, as ``glaux match`` does, and return A's result.

    Each is a PLAYER text or a run. ``workers=None`` uses all cores, in processes; a script then needs
    ``if __name__ == "__main__":``. ``on`` is the address of a cluster that plays the games: with
    ``workers=None`` on all its processors.
    """
    contest = Contest(_made(game), (_text(a), _text(b)), games, opening, seed, None, Side(side))
    standing = Standing()
    for index, record in play_contest(contest, workers, on=on):
        standing.add(index, record)
    return standing


def player(text: str | Run, game: str | Game, seed: int = 0) -> Player:
    """Make the player of a PLAYER text or of a training run: ``player.choose(state)``."""
    return make_player(_text(text), _made(game), seed)


def _made(game: str | Game) -> Game:
    return make(game) if isinstance(game, str) else game


def _text(given: str | Run) -> str:
    return str(given.path) if isinstance(given, Run) else given


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
