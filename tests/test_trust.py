"""Rules in Python and programs are what the user types, never what a file says."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glaux
from glaux.arena.tournament import Tournament, TournamentDirectory
from glaux.arrays import read_npz
from glaux.directories import SUMS, checkpoints, replace_file, write_sums
from glaux.errors import InvalidFile, Untrusted
from glaux.foreign import check_no_links, open_foreign, parse_json
from glaux.learn.registry import LEARNERS, change_config
from glaux.learn.run import Run
from glaux.learn.training import Training
from glaux.players.engine_players import ENGINES
from glaux.players.registry import check_foreign, players
from glaux.rules.registry import is_named, make_foreign, runs_code
from glaux.search.registry import SEARCHES
from glaux.values.families import FAMILIES
from glaux.values.value import ValueFunction
from glaux.web.catalogue import RUN, Catalogue
from glaux.web.runs import Runs
from tests.cli.runner import refusal
from tests.cli.runner import run as command
from tests.learn.small import small
from tests.learn.test_stopping import of
from tests.test_hostile import SOURCE
from tests.values.test_saving import edit

EXAMPLE = Path("docs/examples/tic_tac_toe.py").resolve()
GAME = "connect_four:rows=4,columns=4,length=3"


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """Rules that leave a mark if they are run, and play tic-tac-toe."""
    file = tmp_path / "evil.py"
    mark = f"import pathlib; pathlib.Path({str(tmp_path / 'canary')!r}).touch()\n"
    file.write_text(mark + EXAMPLE.read_text().replace("class TicTacToe", "class Evil"))
    return file


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    return tmp_path / "canary"


def trained(path: Path, **changes: Any) -> Run:
    run = Run.create(path, small(**changes))
    Training(run, run.resume(), matches=2).go()
    return run


def change(run: Run, **changes: Any) -> None:
    """What a stranger writes into config.json, the checksums made to fit."""
    content = json.loads((run.path / "config.json").read_text())
    content["config"] |= changes
    (run.path / "config.json").write_text(json.dumps(content))
    seal(run)


def seal(run: Run) -> None:
    """Make the checksums fit what is there."""
    for place in checkpoints(run.path):
        (place / SUMS).unlink()
        write_sums(place, ["../../config.json"])


# Values


@pytest.mark.parametrize("family", FAMILIES)
def test_a_value_runs_no_rules_that_it_names(family: str, tmp_path: Path, evil: Path, canary: Path) -> None:
    game, path = glaux.make(GAME), tmp_path / "value"
    FAMILIES[family].settings_type().begin(game, scale=1.0, bounded=True, seed=1).save(path)
    edit(path, game=f"{evil}:Evil")
    with pytest.raises(
        Untrusted, match=r"its rules are a Python file, which Glaux runs only if you name it.* --rules "
    ):
        glaux.load(path)
    with pytest.raises(InvalidFile, match=r"evil\.py:Evil, not of connect_four"):
        glaux.load(path, game)
    for arguments in (
        ["value", "info", str(path)],
        ["match", GAME, f"ubfms:value={path}", "random", "--games", "2"],
        ["play", GAME, f"greedy:value={path}"],
    ):
        assert "evil.py" in refusal(*arguments)
    assert not canary.exists()


def test_the_user_s_own_rules_are_typed_again(tmp_path: Path, evil: Path, canary: Path) -> None:
    game, path = glaux.make(f"{evil}:Evil"), tmp_path / "value"
    glaux.NTupleNetwork(game, count=3, length=3).save(path)
    canary.unlink()
    with pytest.raises(Untrusted):
        glaux.load(path)
    assert not canary.exists()
    assert glaux.load(path, game).game == game
    moved = tmp_path / "elsewhere" / "evil.py"
    moved.parent.mkdir()
    shutil.move(evil, moved)
    for text in (f"{moved}:Evil", str(moved)):
        assert glaux.load(path, glaux.make(text)).game.text == text
        done = command("value", "info", str(path), "--rules", text, "--positions", "0", "--seconds", "0")
        assert done.exit_code == 0, done.output


def test_which_texts_of_files_are_code() -> None:
    for text in ("x.py", "x.py:Evil", "a/b.py:E:size=3", "a=b.py", " x.py", "x.pyc", "x.py:size=3"):
        assert runs_code(text), text
        with pytest.raises(Untrusted):
            make_foreign(text, "type {}")
    assert runs_code("open_spiel:game=nfg_game(filename=x)") and not runs_code("open_spiel:game=tic_tac_toe")
    for name in glaux.games():
        assert not runs_code(name) and make_foreign(name, "").name == name
        assert is_named(glaux.make(name), name) and not is_named(glaux.make(name), "x.py")
    assert not is_named(glaux.make(str(EXAMPLE)), "elsewhere/other.py")
    assert not is_named(glaux.make(str(EXAMPLE)), "tic_tac_toe.py:Other")
    assert is_named(glaux.make(str(EXAMPLE)), "tic_tac_toe.py:TicTacToe")


# Runs


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_run_executes_nothing_that_it_names(learner: str, tmp_path: Path, evil: Path, canary: Path) -> None:
    run = Run.create(tmp_path / "run", of(learner))
    Training(run, run.resume(), matches=2).go()
    resume = ["train", GAME, "--run", str(run.path), "--resume", "--matches", "3"]
    change(run, game=f"{evil}:Evil")
    with pytest.raises(Untrusted, match="which Glaux runs only if you name it: glaux train "):
        Run.open(run.path).resume()
    assert "is a run of" in refusal(*resume) and not canary.exists()
    for opponent in [f"{name}:touch {canary}" for name in ENGINES]:
        change(run, game=GAME, strength={"opponent": opponent, "every": 0.001})
        with pytest.raises(Untrusted, match=r"a program, and needs your permission: add --trust "):
            Run.open(run.path).resume()
        assert f"add --trust {run.path}" in refusal(*resume) and not canary.exists()
        assert "--trust" in refusal(*resume, "--trust", str(tmp_path))  # another directory
    # Without a checkpoint as well.
    shutil.rmtree(run.path / "checkpoints")
    with pytest.raises(Untrusted):
        Run.open(run.path).resume()
    assert not canary.exists()


def test_the_owner_of_a_run_types_the_game_or_trusts_it(tmp_path: Path, evil: Path, canary: Path) -> None:
    text, path = f"{evil}:Evil", str(tmp_path / "run")
    quick = ["-s", "warm_start=0", "-s", "search.evaluations=20", "-s", "strength.every=0"]
    start = command("train", text, "--run", path, "--matches", "2", *quick)
    assert start.exit_code == 0, start.output
    again = ["--run", path, "--resume", "--matches"]
    assert command("train", text, *again, "3").exit_code == 0
    moved = tmp_path / "elsewhere" / "evil.py"
    moved.parent.mkdir()
    shutil.move(evil, moved)
    done = command("train", str(moved), *again, "4")
    assert done.exit_code == 0 and "--trust" not in done.stdout, done.output
    assert Run.open(Path(path), str(moved)).resume().matches == 4
    with pytest.raises(Untrusted):
        Run.open(Path(path)).resume()

    other = trained(tmp_path / "other", strength={"opponent": f"gtp:touch {canary}", "every": 0.0})
    assert other.resume().matches == 2  # what this process has made is its own
    canary.unlink(missing_ok=True)
    resume = ["train", GAME, "--run", str(other.path), "--resume", "--matches", "3"]
    assert "--trust" in refusal(*resume)
    done = command(*resume, "--trust", str(other.path))
    assert done.exit_code == 0 and f"--resume --minutes 1 --trust {other.path}" in done.stdout, done.output
    assert Run.open(other.path, trust=True).resume().matches == 3


def test_paths_in_a_run_stay_inside(tmp_path: Path) -> None:
    run = trained(tmp_path / "run")
    outside = tmp_path / "value"
    glaux.NTupleNetwork(glaux.make(GAME), count=3, length=3).save(outside)
    inside = checkpoints(run.path)[-1] / "value"
    link = run.path / "history" / "link"
    link.symlink_to(outside)
    relative = os.path.relpath(outside)
    for path in (outside, relative, f"{run.path}/../value", link):
        change(run, strength={"opponent": f"ubfms:value={path}", "every": 0.0})
        with pytest.raises(Untrusted, match="which is outside of it"):
            Run.open(run.path).resume()
    change(run, strength={"opponent": f"ubfms:value={inside},iterations=1", "every": 0.0})
    assert Run.open(run.path).resume().matches == 2
    change(run, start_from=str(outside))
    assert Run.open(run.path).resume().matches == 2  # nobody needs it any more
    shutil.rmtree(run.path / "checkpoints")
    with pytest.raises(Untrusted, match="which is outside of it"):
        Run.open(run.path).resume()


def test_which_players_a_file_may_name(tmp_path: Path) -> None:
    for name in players():
        if name in ENGINES:
            with pytest.raises(Untrusted):
                check_foreign(f"{name}:true", tmp_path)
        else:
            check_foreign(name, tmp_path)
    for name in SEARCHES:
        check_foreign(f"{name}:value=playouts", tmp_path)
        check_foreign(f"{name}:value={tmp_path}/x", tmp_path)
        with pytest.raises(Untrusted):
            check_foreign(f"{name}:value=zero,value={tmp_path}/../x", tmp_path)


# The page


def test_the_page_runs_nothing_that_a_run_names(tmp_path: Path, evil: Path, canary: Path) -> None:
    trained(tmp_path / "runs" / "a")
    bad = trained(tmp_path / "runs" / "b")
    edit(checkpoints(bad.path)[-1] / "value", game=f"{evil}:Evil")
    seal(bad)
    worse = trained(tmp_path / "runs" / "c")
    change(worse, game=f"{evil}:Evil")
    catalogue, game = Catalogue(Runs(tmp_path / "runs")), glaux.make(GAME)
    assert {run.name for run in catalogue.runs.listed()} == {"a", "b", "c"}
    assert {p["title"] for p in catalogue.players(game) if p["name"].startswith(RUN)} == {"a", "b"}
    catalogue.search(game, "run:a", 1 << 24, 0)
    with pytest.raises(InvalidFile, match=r"evil\.py:Evil, not of connect_four"):
        catalogue.search(game, "run:b", 1 << 24, 0)
    assert not canary.exists()


def test_the_page_offers_runs_of_the_rules_that_it_was_given(tmp_path: Path) -> None:
    config = change_config(small(game=str(EXAMPLE)), ["heuristic=classic"])
    run = Run.create(tmp_path / "runs" / "mine", config)
    Training(run, run.resume(), matches=1).go()
    catalogue = Catalogue(Runs(tmp_path / "runs"), [f"{EXAMPLE}:TicTacToe"])
    game = catalogue.game("tic_tac_toe")
    assert RUN + "mine" in {player["name"] for player in catalogue.players(game)}
    catalogue.search(game, RUN + "mine", 1 << 24, 0)


# Links and what is no file


def links(path: Path, victim: Path) -> list[tuple[Path, Callable[[], object]]]:
    """Each place in a run or tournament that is written to, with something that writes there."""
    tournament = Tournament(glaux.make(GAME), ("random", "mcts:iterations=5"), 2, seed=2)
    run = trained(path / "run")

    def go_on() -> None:
        again = Run.open(run.path)
        with again.locked():
            Training(again, again.resume(), matches=4).go()

    def play() -> None:
        directory = TournamentDirectory.open(path / "tournament", tournament)
        with directory.locked():
            list(directory.play({}, 1))

    (path / "tournament").mkdir()
    names = (".lock", "metrics.jsonl", "matches.jsonl", "events", "checkpoints", "history", "config.json")
    found: list[tuple[Path, Callable[[], object]]] = [(run.path / name, go_on) for name in names]
    others = (".lock", "matches.jsonl", "tournament.json", "ratings.png", "result.json")
    return found + [(path / "tournament" / name, play) for name in others]


def test_nothing_is_written_or_removed_through_a_link(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / ".profile").write_text("precious")
    (home / ".ssh").mkdir()
    (home / ".ssh" / "key").write_text("precious")
    for place, write in links(tmp_path, home):
        kept = tmp_path / "kept"
        if place.exists():
            place.rename(kept)
        place.symlink_to(home if kept.is_dir() else home / ".profile")
        with pytest.raises(InvalidFile, match="is a link, and Glaux follows none inside a directory"):
            write()
        place.unlink()
        if kept.exists():
            kept.rename(place)
        assert (home / ".profile").read_text() == (home / ".ssh" / "key").read_text() == "precious"
        assert sorted(entry.name for entry in home.iterdir()) == [".profile", ".ssh"]


def test_a_link_that_waits_for_the_file_beside(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("precious")
    (tmp_path / f".new.{os.getpid()}").symlink_to(tmp_path / "victim")
    replace_file(tmp_path / "new", b"content")
    assert (tmp_path / "victim").read_text() == "precious" and (tmp_path / "new").read_bytes() == b"content"


def test_what_is_opened(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_bytes(b"abc")
    (tmp_path / "link").symlink_to(plain)
    (tmp_path / "device").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe")
    with open_foreign(plain) as file:
        assert file.read() == b"abc"
    with open_foreign(tmp_path / "link", links=True) as file:  # the user has named it
        assert stat.S_ISREG(os.fstat(file.fileno()).st_mode)
    for name in ("link", "device", "pipe", "."):
        with pytest.raises(InvalidFile):
            open_foreign(tmp_path / name)
    for name in ("device", "pipe"):
        with pytest.raises(InvalidFile, match="not a plain file"):
            open_foreign(tmp_path / name, links=True)
    with pytest.raises(InvalidFile, match="the limit is 2"):
        open_foreign(plain, 2)
    with pytest.raises(InvalidFile):
        check_no_links(tmp_path)


@pytest.mark.parametrize(
    "content", ["NaN", "1e999", "9" * 50, '"\\u001b[0m"', '"\\ud800"', "[" * 10_000, '{"a\\n": 1}', "", "{"]
)
def test_json_that_is_not_read(content: str) -> None:
    with pytest.raises(ValueError):
        parse_json(content.encode())


# Arrays


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", glaux.games())
def test_the_size_of_a_value_is_known_before_it_is_made(family: str, name: str) -> None:
    game = glaux.make(name)
    values: list[ValueFunction] = [
        FAMILIES[family].settings_type().begin(game, scale=1.0, bounded=True, seed=1),
        glaux.NTupleNetwork(game, count=3, length=3, reachable=game.spec.has_reachable, per_player=False),
    ]
    for value in values:
        assert type(value).size(game, value.settings()) == sum(a.size for a in value.weights().values())


def test_no_settings_ask_for_more_memory_than_the_file_has(tmp_path: Path) -> None:
    glaux.NTupleNetwork(glaux.make("hex"), count=3, length=3).save(tmp_path)
    settings = glaux.load(tmp_path).settings()
    edit(tmp_path, settings=settings | {"tuples": [list(range(i, i + 16)) for i in range(20)]})
    with pytest.raises(InvalidFile, match=r"It has 162 weights, but its settings need 1,721,868,840"):
        glaux.load(tmp_path)


def damaged(run: Run, name: str, spoil: Callable[[Any], Any]) -> None:
    """Change an array of the newest checkpoint, the checksums made to fit."""
    place = checkpoints(run.path)[-1]
    arrays = read_npz(place / "arrays.npz")
    arrays[name] = spoil(arrays[name].copy())
    with (place / "arrays.npz").open("wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]
    seal(run)


@pytest.mark.parametrize("name", ["replay.states.0", "proven.states"])
@pytest.mark.parametrize(
    "spoil",
    [
        lambda a: np.full_like(a, 255),
        lambda a: np.frombuffer(np.random.default_rng(1).bytes(a.nbytes), np.uint8).reshape(a.shape),
        lambda a: a[:, :-1],
        lambda a: a.astype(np.int64),
        np.asfortranarray,
        lambda a: a.T,
    ],
    ids=["full", "noise", "narrow", "wide", "fortran", "turned"],
)
def test_states_of_a_checkpoint_are_looked_at_by_the_rules(
    name: str, spoil: Callable[[Any], Any], tmp_path: Path
) -> None:
    run = trained(tmp_path / "run")
    damaged(run, name, spoil)
    with pytest.raises(InvalidFile, match="can't be read"):
        run.resume()


def test_the_sources_name_no_reader_that_is_not_tried() -> None:
    """Whoever reads files with json, numpy or safetensors goes through the two modules that are safe."""
    users = [
        file.relative_to(SOURCE).as_posix()
        for file in SOURCE.rglob("*.py")
        if "read_bytes()" in file.read_text() or "safetensors.numpy import load" in file.read_text()
    ]
    # The pictures that a report has just drawn, what a soak has just written, and the page's own files.
    own = ["experiments/report.py", "soak/checks.py", "web/pages.py"]
    assert sorted(users) == ["arrays.py", *own]
