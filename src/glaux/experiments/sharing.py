"""Training runs that two experiments have in common are made once.

The networks of ``table3`` are those that ``play`` measures, and a changed copy of an experiment often trains
what the first one has trained. A run is the same if all its settings are, its random seed among them, and if
it had the same goal with the same stages.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from glaux.directories import check_head
from glaux.errors import GlauxError, InvalidFile
from glaux.experiments.directory import FORMAT, KIND, SETTINGS, ExperimentDirectory
from glaux.experiments.plan import TrainingKey
from glaux.learn.run import Run

GOAL = ("minutes", "matches", "stages")
"""what has to be equal besides the settings of a run"""


def take_trained(directory: ExperimentDirectory, other: Path) -> int:
    """Take what another experiment has trained and this one has not; how many training runs.

    The files are linked where the file system can, and copied elsewhere. InvalidFile if there is no
    experiment, or one whose training runs had another goal.
    """
    if not (other / SETTINGS).is_file():
        raise InvalidFile(f"There is no experiment in '{other}': it has no {SETTINGS}.")
    head, own = check_head(other / SETTINGS, "an experiment", KIND, FORMAT), directory.plan.description()
    for name in GOAL:
        if head.get(name) != own[name]:
            raise InvalidFile(
                f"The training runs in '{other}' can't be taken: they have {name} {head.get(name)}, "
                f"and this experiment has {own[name]}."
            )
    source = ExperimentDirectory(other, directory.plan)
    missing = set(directory.plan.trainings()) - directory.trained().keys()
    taken = 0
    for key, row in source.trained().items():
        if key in missing and _same(directory, source, key) and _copied(directory, source, key):
            directory.add_training(key, row)
            taken += 1
    return taken


def _same(directory: ExperimentDirectory, source: ExperimentDirectory, key: TrainingKey) -> bool:
    try:
        return Run(source.run_path(key)).config == directory.plan.config(key)
    except GlauxError:
        return False


def _copied(directory: ExperimentDirectory, source: ExperimentDirectory, key: TrainingKey) -> bool:
    """Whether the run is here now: it is made under a hidden name first. One that is begun here stays."""
    place = directory.run_path(key)
    if place.exists():
        return False
    hidden = place.with_name(f".{place.name}")
    shutil.rmtree(hidden, ignore_errors=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(source.run_path(key), hidden, copy_function=_link)
    hidden.rename(place)
    return True


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
