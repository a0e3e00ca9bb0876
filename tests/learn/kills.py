"""Kill a training at random moments, resume it, and kill it again: nothing is lost but the current matches.

``python -m tests.learn.kills KIND COUNT FOLDER [SEED]`` takes a kind of training of ``glaux soak``. Each run
is a fork of this process, which has imported everything and started no thread: a kill takes about a second,
and with a new program ten. It prints a line of JSON: how many kills there were, how many of them came in the
middle of a checkpoint, how many matches were played again, and the faults.
"""

import ctypes
import json
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from glaux.learn.preset import configure, find_preset
from glaux.learn.registry import change_config
from glaux.learn.run import CONFIG, MATCHES, METRICS, Run
from glaux.learn.training import Training
from glaux.soak.checks import RunStanding, look
from glaux.soak.kinds import GAME, NETWORK, Kind, kinds
from glaux.soak.programs import members
from glaux.soak.trainings import Growing
from tests.learn.crashes import import_everything

MEAN = 0.6
"""seconds before a kill, on average"""
AT_START = 0.2
"""the share of the kills that come so soon after the start, the others after the first row"""
PATIENCE, LINGER = 240.0, 60.0
FOR_EVER = 10**9
PR_SET_PDEATHSIG = 1  # of Linux


@dataclass
class Found:
    """What came of the kills."""

    kind: str
    kills: int = 0
    in_a_checkpoint: int = 0
    """a checkpoint was being written, or old ones were being removed"""
    torn: int = 0
    """the last line of metrics or matches was cut off"""
    sittings_with_rows: int = 0
    """the training had come to new matches"""
    matches: int = 0
    """of the last checkpoint"""
    again: int = 0
    """matches that had a row and are played again, in all"""
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)


def start(path: Path, kind: Kind, seed: int, matches: int) -> int:
    """A process that trains in the directory, in a session of its own."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        os.setsid()
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # it ends with us, too
        config = change_config(configure(GAME, find_preset(GAME)), [*kind.settings, f"seed={seed}"])
        run = Run.open(path) if (path / CONFIG).exists() else Run.create(path, config)
        with run.locked():
            Training(run, run.resume(), matches=matches).go()
        code = 0
    except BaseException as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
    finally:
        os._exit(code)


def alive(child: int) -> bool:
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None


def kill(child: int, matches: Path, rng: random.Random) -> str | None:
    """Kill it at a random moment; what is wrong if it has ended before."""
    begun, rows = time.monotonic(), Growing(matches)
    at = begun + rng.uniform(0, 2 * MEAN) if rng.random() < AT_START else None
    while at is None or time.monotonic() < at:
        if not alive(child) or time.monotonic() - begun > PATIENCE:
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            return (
                f"It ended with {os.waitstatus_to_exitcode(status)} after {time.monotonic() - begun:.1f} s."
            )
        if at is None and rows.grew():
            at = time.monotonic() + rng.uniform(0, 2 * MEAN)
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def lingering(session: int) -> Iterator[str]:
    """A fault if a process of the training does not end."""
    deadline = time.monotonic() + LINGER
    while left := members(session):
        if time.monotonic() > deadline:
            for process in left:
                os.kill(process, signal.SIGKILL)
            yield f"{len(left)} processes were left."
            return
        time.sleep(0.01)


def is_torn(path: Path) -> bool:
    files = (path / METRICS, path / MATCHES)
    return any(file.exists() and not (file.read_bytes() or b"\n").endswith(b"\n") for file in files)


def killed(path: Path, kind: Kind, count: int, seed: int) -> Found:
    """Kill it so many times, and let it come to an end."""
    rng, found, standing, begun = random.Random(seed), Found(kind.name), RunStanding(), time.monotonic()
    for number in range(1, count + 1):
        child = start(path, kind, seed, FOR_EVER)
        fault = kill(child, path / MATCHES, rng)
        faults = [*([fault] if fault else []), *lingering(child)]
        found.kills += fault is None
        if (path / CONFIG).exists():
            found.in_a_checkpoint += any((path / "checkpoints").glob(".*"))
            found.torn += is_torn(path)
            before, (standing, more) = standing, look(path, standing, contiguous=kind.contiguous)
            faults += more
            found.sittings_with_rows += standing.rows > before.checkpoint
            found.again += standing.rows - standing.checkpoint
        found.faults += [f"{number}: {fault}" for fault in faults]
        found.matches, found.seconds = standing.checkpoint, time.monotonic() - begun
        if number % 25 == 0:
            sys.stderr.write(f"{json.dumps(asdict(found))}\n")
    _, status = os.waitpid(start(path, kind, seed, standing.checkpoint + 3), 0)
    after, faults = look(path, standing, contiguous=kind.contiguous)
    if os.waitstatus_to_exitcode(status) or not after.checkpoint == after.rows >= standing.checkpoint + 3:
        faults.append(f"It ended with {os.waitstatus_to_exitcode(status)} at match {after.checkpoint}.")
    found.faults += [f"at the end: {fault}" for fault in faults]
    return found


def main(name: str, count: str, folder: str, seed: str = "0") -> None:
    """Print what was found."""
    import_everything(network=NETWORK in name)
    path = Path(folder) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    print(json.dumps(asdict(killed(path, kinds()[name], int(count), int(seed)))))


if __name__ == "__main__":
    main(*sys.argv[1:])
