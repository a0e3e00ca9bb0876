"""Kill a short training before its k-th file operation, resume it, and say what it has become.

``python -m tests.learn.crashes LEARNER FOLDER K...`` prints a line of JSON for each K: how the first process
ended, and a digest of all that decides how the training goes on, after a resume to its goal. K = 0 is never
killed, and the number of operations stands in its line. Each training is a fork of this process, which has
imported everything and started no thread.
"""

import hashlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from glaux.learn.registry import find_learner
from glaux.learn.run import CONFIG, Run
from glaux.learn.training import Training
from tests.learn.test_stopping import of, standing

KILLED = 137
GOALS = (3, 6)
EVENTS = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate"}


def count_operations(path: Path, kill_at: int) -> list[int]:
    """Count from here on what changes files below the path, and end the process before number ``kill_at``."""
    count = [0]

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        relative = event in ("os.remove", "os.rmdir") and arguments[1] != -1  # as shutil.rmtree does
        if event not in EVENTS or not (relative or str(arguments[0]).startswith(str(path))):
            return
        if event == "open" and not (int(arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR)):
            return
        count[0] += 1
        if count[0] == kill_at:
            os._exit(KILLED)

    sys.addaudithook(hook)
    return count


def train(path: Path, learner: str) -> None:
    """Two sittings with several checkpoints each, from the creation of the directory on."""
    for goal in GOALS:
        run = (
            Run.open(path)
            if (path / CONFIG).exists()
            else Run.create(path, of(learner, checkpoint_every=0.0))
        )
        training = Training(run, run.resume(), matches=max(goal, run.resume().matches))
        training.go()


def forked(work: Callable[[], Any]) -> tuple[int, Any]:
    """What some work returns in a process of its own, as JSON, with the exit code."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            os.write(writing, json.dumps(work()).encode())
        except BaseException as error:
            os.write(writing, json.dumps(f"{type(error).__name__}: {error}").encode())
            os._exit(1)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        content = stream.read()
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), json.loads(content or b"null")


def crash(path: Path, learner: str, kill_at: int) -> int:
    """How many operations there were, if it comes to its end."""
    count = count_operations(path, kill_at)
    train(path, learner)
    return count[0]


def become(path: Path, learner: str) -> dict[str, Any]:
    """The training after it has gone on to its end."""
    train(path, learner)
    run = Run.open(path)
    parts = standing(run.resume())
    digest = hashlib.sha256(repr(sorted(parts.items(), key=lambda part: part[0])).encode()).hexdigest()
    matches = [row["match"] for row in run.matches()]
    rows = [row["match"] for row in run.metrics() if row["kind"] == "match"]
    left = sorted(p.name for p in (path / "checkpoints").iterdir())
    return {"digest": digest, "matches": matches, "rows": rows, "checkpoints": left}


def main(learner: str, folder: str, *numbers: str) -> None:
    """Kill at each of the numbers."""
    import tensorboardX.event_file_writer  # noqa: F401, PLC0415 (before the forks: it takes seconds)

    find_learner(learner)
    for number in map(int, numbers):
        path = Path(folder) / str(number)
        code, count = forked(lambda path=path, number=number: crash(path, learner, number))  # type: ignore[misc]
        after, found = forked(lambda path=path: become(path, learner))  # type: ignore[misc]
        print(json.dumps({"k": number, "code": code, "count": count, "after": after, "found": found}))


if __name__ == "__main__":
    main(*sys.argv[1:])
