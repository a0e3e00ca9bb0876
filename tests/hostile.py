"""Every reader of files, given what a stranger could put in the place of each of them.

``python -m tests.hostile READER FOLDER SEED COUNT`` tries a sample of COUNT changes, all with COUNT 0, and
prints what came of them as JSON. A change may be refused by a sentence, or read; anything else is a
failure: another exception, code that runs, a file that is opened elsewhere, a wait, too much memory. The
checksums are made anew after half of the changes, as a stranger would.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import glaux
from glaux.arena.report import make_cross_table, write_report
from glaux.arena.tournament import Tournament, TournamentDirectory
from glaux.directories import SUMS, write_sums
from glaux.errors import LONGEST, GlauxError
from glaux.learn.registry import LEARNERS
from glaux.learn.run import Run
from glaux.learn.training import Training
from glaux.players.registry import make_player
from glaux.records.files import add_records
from glaux.records.record import Record
from glaux.values.families import FAMILIES
from glaux.values.saving import sealed
from glaux.web.catalogue import RUN, Catalogue
from glaux.web.runs import Runs
from tests.cli.runner import run as run_command
from tests.hostile_changes import Change, changes_of
from tests.learn.test_stopping import of
from tests.values.positions import positions

GAME = "connect_four:rows=4,columns=4,length=3"
TOURNAMENT = Tournament(glaux.make(GAME), ("random", "mcts:iterations=5"), 4, book=1, seed=2)
CASE_SECONDS = 60
GROWTH = 600 << 20
"""bytes that the memory may grow by"""
EVIL = """
import pathlib
pathlib.Path({canary!r}).touch()
import glaux
class Evil(glaux.Rules):
    pass
"""


class Reader(NamedTuple):
    """Something that is read: how it is made, and how it is read."""

    make: Callable[[Path], object]
    read: Callable[[Path], object]


def command(*arguments: str) -> None:
    """A command that ends well, or with one sentence."""
    result = run_command(*arguments)
    if result.exit_code == 2 and result.stderr.startswith("glaux: "):
        raise GlauxError(result.stderr.removeprefix("glaux: ").removesuffix("\n"))
    if result.exit_code != 0:
        raise result.exception or AssertionError(result.output)


def make_value(family: str, path: Path) -> None:
    game = glaux.make(GAME)
    value = FAMILIES[family].settings_type().begin(game, scale=1.0, bounded=True, seed=1)
    value.fit(positions(game, 20, seed=1), [0.5] * 20)
    value.save(path)


def make_packed(family: str, path: Path) -> None:
    make_value(family, path)
    glaux.load(path).save_packed(path, 8)


def read_value(path: Path) -> None:
    value = glaux.load(path)
    value.evaluate(value.game.initial())
    make_player(f"ubfms:value={path},evaluations=20", glaux.make(GAME), 0).choose(glaux.make(GAME).initial())


def make_run(learner: str, path: Path) -> None:
    run = Run.create(path, of(learner))
    Training(run, run.resume(), matches=2).go()


def read_run(path: Path) -> None:
    run = Run.open(path)
    with run.locked():
        learner = run.resume()
        run.forget_after(learner.matches)
    replay = getattr(learner, "replay", None)
    if replay is not None:
        for batch in replay.minibatches(16, learner.rng):
            learner.value.learn(batch)


def read_page(path: Path) -> None:
    catalogue, game = Catalogue(Runs(path)), glaux.make(GAME)
    for run in catalogue.runs.listed():
        json.dumps(catalogue.runs.curve(run.name), allow_nan=False)
    for player in catalogue.players(game):
        if player["name"].startswith(RUN):
            catalogue.search(game, player["name"], 1 << 24, 0).search.run(game.initial(), evaluations=20)


def make_tournament(path: Path) -> None:
    directory = TournamentDirectory.open(path, TOURNAMENT)
    list(directory.play({}, 1))


def read_tournament(path: Path) -> None:
    directory = TournamentDirectory.open(path, TOURNAMENT)
    with directory.locked():
        matches = directory.matches()
        write_report(path, make_cross_table(TOURNAMENT, matches), matches)


def make_records(name: str, game: str, path: Path) -> None:
    record = Record(glaux.make(game).initial(), ("a", "b"), tags={"Round": "1"})
    for _ in range(4):
        record.play(record.game.actions(record.state)[0])
    path.mkdir()
    add_records(path / name, [record])


def make_results(path: Path) -> None:
    path.mkdir()
    tally = {"wins": 3, "draws": 1, "losses": 2}
    (path / "1.json").write_text(json.dumps({"game": GAME, "by_colour": {"first": tally, "second": tally}}))


READERS: dict[str, Reader] = {
    **{f"value {name}": Reader(partial(make_value, name), read_value) for name in FAMILIES},
    **{
        f"packed {name}": Reader(partial(make_packed, name), read_value)
        for name, family in FAMILIES.items()
        if family.memory
    },
    "value info": Reader(
        partial(make_value, next(iter(FAMILIES))),
        lambda path: command("value", "info", str(path), "--positions", "0", "--seconds", "0"),
    ),
    **{f"run {name}": Reader(partial(make_run, name), read_run) for name in LEARNERS},
    **{f"value of {name}": Reader(partial(make_run, name), glaux.load) for name in LEARNERS},
    "resume": Reader(
        partial(make_run, next(iter(LEARNERS))),
        lambda path: command("train", GAME, "--run", str(path), "--resume", "--matches", "2", "--dry-run"),
    ),
    "page": Reader(lambda path: make_run(next(iter(LEARNERS)), path / "run"), read_page),
    "tournament": Reader(make_tournament, read_tournament),
    "text": Reader(
        partial(make_records, "games.txt", GAME), lambda p: command("replay", str(p / "games.txt"), "--all")
    ),
    "sgf": Reader(
        partial(make_records, "games.sgf", "hex:size=5"),
        lambda p: command("replay", str(p / "games.sgf"), "--all", "--json"),
    ),
    "compare": Reader(make_results, lambda path: command("compare", str(path), "--resamples", "100")),
}
"""Whatever reads a file that may come from elsewhere."""


def reseal(folder: Path) -> None:
    """Make the checksums fit what is there, where there are such."""
    for head in folder.rglob("value.json"):
        content = _json(head)
        if isinstance(content, dict):
            _sum_arrays(head.parent, content.get("files"))
            head.write_text(json.dumps(sealed(content)))
    for sums in folder.rglob(SUMS):
        if sums.is_file() and not sums.is_symlink():
            config = sums.parent / "../../config.json"
            sums.unlink()
            with suppress(GlauxError):  # of what can't be read
                write_sums(sums.parent, ["../../config.json"] if config.is_file() else [])


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes()) if path.is_file() and not path.is_symlink() else None
    except (ValueError, RecursionError):
        return None


def _sum_arrays(folder: Path, files: Any) -> None:
    import hashlib  # noqa: PLC0415

    for entry in files.values() if isinstance(files, dict) else []:
        if isinstance(entry, dict) and isinstance(entry.get("name"), str):
            try:
                file = folder / Path(entry["name"]).name
                if file.is_file() and file.stat().st_size < 1 << 30:
                    entry["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
            except (OSError, ValueError):
                continue


class Watch:
    """What must not happen while a file is read."""

    FORBIDDEN = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "pickle.find_class")

    def __init__(self, outside: Path) -> None:
        self.outside, self.seen, self.on = str(outside), list[str](), False
        sys.addaudithook(self.hook)

    def hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.on:
            return
        opened = event == "open" and isinstance(arguments[0], str | Path | bytes)
        if event in self.FORBIDDEN or (opened and os.fsdecode(arguments[0]).startswith(self.outside)):
            self.seen.append(f"{event} {arguments[0]!r}")


def sampled(cases: list[tuple[Change, bool]], seed: int, count: int) -> list[tuple[Change, bool]]:
    """So many of the cases, as many of each file as of any other while there are such."""
    by_file: dict[str, list[tuple[Change, bool]]] = {}
    for case in cases:
        by_file.setdefault(case[0].name.partition(":")[0], []).append(case)
    rng = random.Random(seed)
    for of_file in by_file.values():
        rng.shuffle(of_file)
    return [one for some in zip_longest(*by_file.values()) for one in some if one is not None][:count]


def attempt(reader: Reader, place: Path, watch: Watch) -> str:
    """How reading ends: empty if it was read, a sentence if it was refused; AssertionError otherwise."""
    watch.seen, watch.on = [], True
    signal.alarm(CASE_SECONDS)
    try:
        reader.read(place)
        sentence = ""
    except GlauxError as error:
        sentence = str(error) or "nothing"
        assert "\n" not in sentence and "Traceback" not in sentence, sentence
        assert len(sentence) <= LONGEST, sentence[:300]
    finally:
        signal.alarm(0)
        watch.on = False
    assert not watch.seen, watch.seen
    return sentence


def main(name: str, folder: Path, seed: int, count: int) -> dict[str, Any]:
    """Try the changes."""
    folder = folder.resolve()
    canary, outside = folder / "canary", folder / "outside"
    outside.mkdir()
    (outside / "secret").write_text('{"secret": 1}\n')
    os.chdir(folder)
    Path("evil.py").write_text(EVIL.format(canary=str(canary)))
    reader, good = READERS[name], folder / "good"
    reader.make(good)
    watch, place = Watch(outside), folder / "place"
    changes = changes_of(good, canary, outside)
    everything = [(change, again) for change in changes for again in (False, True)]
    chosen = sampled(everything, seed, count) if count else everything
    nothing = Change("nothing", lambda _: None)
    found: dict[str, Any] = {"cases": len(everything), "tried": len(chosen), "refused": 0, "failures": []}
    before = 0
    for change, again in [(nothing, False), (nothing, True), *chosen]:
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(good, place)
        change.make(place)
        if again:
            reseal(place)
        try:
            sentence = attempt(reader, place, watch)
            assert not canary.exists(), "code was run"
            assert not (sentence and change is nothing), sentence
            found["refused"] += bool(sentence)
        except BaseException as error:
            canary.unlink(missing_ok=True)
            last = traceback.format_exception(error)[-6:]
            found["failures"].append(f"{change.name}{' resealed' if again else ''}: {''.join(last)[-1500:]}")
        if change is nothing:
            before = _peak()
            resource.setrlimit(resource.RLIMIT_DATA, (_data() + GROWTH, resource.RLIM_INFINITY))
    found["grown"] = _peak() - before
    assert (outside / "secret").read_text() == '{"secret": 1}\n', "a file elsewhere was changed"
    return found


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _data() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    [size] = [int(line.split()[1]) for line in lines if line.startswith("VmData:")]
    return size * 1024


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))))
