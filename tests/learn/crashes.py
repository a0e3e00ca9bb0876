"""Break a short training at its k-th file operation, resume it, and say what it has become.

``python -m tests.learn.crashes CASE HOW FOLDER COUNT`` takes COUNT of its operations, all with COUNT 0. It
prints a line of JSON for each number k: how the first process ended, what is wrong with the directory that it
left, and a digest of all that decides how the training goes on, after a resume to its goal. The first line
has k = 0, which is never broken, and the number of operations. Each training is a fork of this process, which
has imported everything and started no thread.

    kill        it ends before the operation
    tear        it ends in the middle of a write: the k-th file that is opened gets only some of its bytes
    interrupt   Ctrl-C at the operation, and the second one at the next, wherever that is
"""

import hashlib
import json
import os
import random
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from glaux.learn.registry import LEARNERS
from glaux.learn.run import CONFIG, EVENTS, Run
from glaux.learn.training import Training
from glaux.soak.checks import RunStanding, look
from tests.learn.tensorboard import curves
from tests.learn.test_stopping import of, standing

KILLED = 137
GOALS = (3, 6)
OPERATIONS = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate"}
PATTERNS = {"family": "patterns", "regions": 2, "average": 500.0, "shapes": [[[0, 0], [0, 1], [1, 0]]]}
NETWORK = {"family": "network", "depth": 2, "filters": 4, "dense": 8}
CASES: dict[str, dict[str, Any]] = {
    **{learner: {"learner": learner} for learner in LEARNERS},
    "td-threads": {"learner": "td", "workers": 2},
    "athenan-threads": {"learner": "athenan", "workers": 2},
    "athenan-processes": {"learner": "athenan", "workers": 2, "processes": True},
    "athenan-patterns": {"learner": "athenan", "value": PATTERNS},
    "athenan-network": {"learner": "athenan", "value": NETWORK},
    "athenan-network-threads": {"learner": "athenan", "value": NETWORK, "workers": 2, "lockstep": 2},
    "alphazero-network": {"learner": "alphazero", "value": NETWORK | {"family": "policy"}, "sync_period": 2},
}
"""short trainings; those of one worker are the same to the last bit whenever they are stopped"""
HOWS = ("kill", "tear", "interrupt")
LARGEST_TEAR = 15
"""the number of bytes of a write that are written is up to 2 to this power"""


def exact(case: str) -> bool:
    """Whether a resumed training is to be the one that was never stopped."""
    return "workers" not in CASES[case]


def contiguous(case: str) -> bool:
    """Whether each match has a row."""
    return CASES[case]["learner"] != "td"


def tear(file: str, appended: bool, number: int) -> None:
    """Let no file grow any more beyond a few bytes of this one, and end the process that tries."""
    size = os.path.getsize(file) if appended and os.path.exists(file) else 0  # noqa: PTH110, PTH202
    more = int(2 ** random.Random(number).uniform(0, LARGEST_TEAR))
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + more, resource.RLIM_INFINITY))


def count_operations(path: Path, how: str, at: int) -> list[int]:
    """Count from here on what changes files below the path, and break this process at number ``at``."""
    count = [0]

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        relative = event in ("os.remove", "os.rmdir") and arguments[1] != -1  # as shutil.rmtree does
        if event not in OPERATIONS or not (relative or str(arguments[0]).startswith(str(path))):
            return
        flags = int(arguments[2] or 0) if event == "open" else os.O_WRONLY
        if not flags & (os.O_WRONLY | os.O_RDWR) or (how == "tear" and event != "open"):
            return
        count[0] += 1
        if how == "interrupt" and at and count[0] in (at, at + 1):
            os.kill(os.getpid(), signal.SIGINT)
        elif count[0] == at and how == "kill":
            os._exit(KILLED)
        elif count[0] == at and how == "tear":
            tear(str(arguments[0]), "a" in str(arguments[1]), at)

    sys.addaudithook(hook)
    return count


def train(path: Path, case: str) -> None:
    """Two sittings with several checkpoints each, from the creation of the directory on."""
    changes = {key: value for key, value in CASES[case].items() if key != "learner"}
    for goal in GOALS:
        run = (
            Run.open(path)
            if (path / CONFIG).exists()
            else Run.create(path, of(CASES[case]["learner"], checkpoint_every=0.0, **changes))
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


def crash(path: Path, case: str, how: str, at: int) -> int:
    """How many operations there were, if it comes to its end."""
    count = count_operations(path, how, at)
    train(path, case)
    return count[0]


def left(path: Path, case: str) -> tuple[RunStanding, list[str]]:
    """What is wrong with the directory."""
    if not (path / CONFIG).exists():
        return RunStanding(), []
    return look(path, RunStanding(), contiguous=contiguous(case))


def become(path: Path, case: str) -> dict[str, Any]:
    """The training after it has gone on to its end."""
    before, faults = left(path, case)
    train(path, case)
    run = Run.open(path)
    parts = standing(run.resume())
    digest = hashlib.sha256(repr(sorted(parts.items(), key=lambda part: part[0])).encode()).hexdigest()
    matches = [row["match"] for row in run.matches()]
    rows = [row["match"] for row in run.metrics() if row["kind"] == "match"]
    checkpoints = sorted(p.name for p in (path / "checkpoints").iterdir())
    _, more = look(path, before, contiguous=contiguous(case))
    return {
        "digest": digest,
        "matches": matches,
        "rows": rows,
        "checkpoints": checkpoints,
        "faults": [*faults, *more],
        "curves": {name: [step for step, _ in points] for name, points in curves(path / EVENTS).items()},
    }


def import_everything(network: bool) -> None:
    """What takes seconds is imported before the forks, and starts no thread."""
    if network:
        import onnxruntime  # noqa: F401, PLC0415
        import torch  # noqa: PLC0415

        torch.set_num_threads(1)


def broken(path: Path, case: str, how: str, at: int) -> dict[str, Any]:
    """What becomes of a training that is broken there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    code, count = forked(lambda: crash(path, case, how, at))
    after, found = forked(lambda: become(path, case))
    return {"k": at, "code": code, "count": count, "after": after, "found": found}


def main(case: str, how: str, folder: str, count: str) -> None:
    """Break it at so many of its operations."""
    import_everything(network="network" in case)
    whole = broken(Path(folder) / how / "0", case, how, 0)
    print(json.dumps(whole), flush=True)
    points = range(1, 1 + (whole["count"] if whole["code"] == 0 else 0))
    chosen = random.Random(3).sample(points, min(int(count), len(points))) if int(count) else points
    for number in sorted(chosen):
        print(json.dumps(broken(Path(folder) / how / str(number), case, how, number)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
