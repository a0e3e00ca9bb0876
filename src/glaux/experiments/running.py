"""An experiment from its first training to its last game, each step told to whoever looks on."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass

from glaux.arena.pool import play_jobs
from glaux.experiments.directory import ExperimentDirectory
from glaux.experiments.jobs import Bundle
from glaux.experiments.pairings import GameKey
from glaux.experiments.spec import Play
from glaux.machine import cores

BUNDLE_SECONDS = 2.0
"""that the games of a bundle take, about"""
BUNDLE_GAMES = 64
TRAINING = "trainings"


@dataclass(frozen=True)
class Step:
    """How far a part of the experiment has come."""

    part: str
    """``trainings``, or the name of a play"""
    done: int
    total: int


def run_experiment(
    directory: ExperimentDirectory, workers: int | None = None, on: str | None = None
) -> Generator[Step, None, None]:
    """Train what is not trained, then play what is not played; ``on``: where, as ``play_jobs`` has it."""
    yield from _train(directory, workers, on)
    for play in directory.plan.experiment.plays:
        yield from _play(directory, play, workers, on)


def _train(directory: ExperimentDirectory, workers: int | None, on: str | None) -> Iterator[Step]:
    wanted = directory.plan.trainings()
    missing = [key for key in wanted if key not in directory.trained()]
    done = len(wanted) - len(missing)
    yield Step(TRAINING, done, len(wanted))
    if not missing:
        return
    jobs = ((key, directory.training_job(key)) for key in missing)
    with closing(play_jobs(jobs, workers, on=on, most=len(missing))) as trained:
        for key, row in trained:
            directory.add_training(key, row)
            done += 1
            yield Step(TRAINING, done, len(wanted))


def _play(directory: ExperimentDirectory, play: Play, workers: int | None, on: str | None) -> Iterator[Step]:
    wanted = directory.wanted(play)
    ended = directory.games(play)
    missing = [key for key in wanted if key not in ended]
    done = len(wanted) - len(missing)
    yield Step(play.name, done, len(wanted))
    if not missing:
        return
    bundles = _bundles(play, missing, workers or cores())
    jobs = ((keys, Bundle(tuple(directory.game_job(play, key) for key in keys))) for keys in bundles)
    with closing(play_jobs(jobs, workers, on=on, most=len(bundles))) as played:
        for keys, records in played:
            directory.add_games(play, list(zip(keys, records, strict=True)))
            done += len(keys)
            yield Step(play.name, done, len(wanted))


def _bundles(play: Play, keys: list[GameKey], workers: int) -> list[tuple[GameKey, ...]]:
    """Games that follow each other, and so share their value functions; enough bundles for all workers."""
    size = int(min(BUNDLE_GAMES, max(1.0, BUNDLE_SECONDS / max(play.cost, 1e-3))))
    size = max(1, min(size, len(keys) // (2 * workers) or 1))
    return [tuple(keys[i : i + size]) for i in range(0, len(keys), size)]
