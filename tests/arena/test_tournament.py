"""Tournaments: what is played, what is kept, and that a kill changes nothing."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import glaux
from glaux.arena.chart import write_chart
from glaux.arena.match import PlayedMatch
from glaux.arena.report import make_cross_table, write_report
from glaux.arena.tournament import Key, Tournament, TournamentDirectory
from glaux.errors import GlauxError, InvalidFile
from tests.arena.killed import TOURNAMENT

GAME = glaux.make("connect_four:rows=4,columns=4,length=3")
SMALL = Tournament(GAME, ("random", "mcts:iterations=30", "mcts:iterations=100"), 8, book=1, seed=2)


def play(path: Path, tournament: Tournament = SMALL, workers: int = 1) -> dict[Key, PlayedMatch]:
    directory = TournamentDirectory.open(path, tournament)
    matches = directory.matches()
    matches |= dict(directory.play(dict(matches), workers))
    return matches


def without_times(matches: dict[Key, PlayedMatch]) -> dict[Key, Any]:
    return {key: (record.outcome, record.actions, record.opening) for key, record in matches.items()}


def test_everybody_plays_everybody_with_both_colours_from_the_same_openings(tmp_path: Path) -> None:
    matches = play(tmp_path)
    assert len(matches) == 3 * 8
    seats = Counter(key.sides for key in matches)
    assert seats == dict.fromkeys(itertools.permutations(range(3), 2), 4)
    openings = {
        pair: [tuple(matches[Key(*pair, n)].actions[:1]) for n in range(8)]
        for pair in itertools.combinations(range(3), 2)
    }
    first = openings[0, 1]
    assert all(of_pair == first for of_pair in openings.values())
    assert first[::2] == first[1::2]
    assert len({SMALL.job(key).seeds for key in matches}) == len(matches)


def test_the_result_does_not_depend_on_the_workers(tmp_path: Path) -> None:
    assert without_times(play(tmp_path / "1")) == without_times(play(tmp_path / "2", workers=2))


def test_a_finished_tournament_is_not_played_again(tmp_path: Path) -> None:
    matches = play(tmp_path)
    before = (tmp_path / "matches.jsonl").read_bytes()
    assert play(tmp_path) == matches
    assert (tmp_path / "matches.jsonl").read_bytes() == before


@contextmanager
def playing(path: Path, workers: int) -> Iterator[subprocess.Popen[bytes]]:
    """The tournament of ``killed.py`` in a process, and a group, of its own."""
    command = [sys.executable, "-m", "tests.arena.killed", str(path), str(workers)]
    environment = os.environ | {"SKBUILD_EDITABLE_VERBOSE": "0"}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, start_new_session=True
    ) as started:
        try:
            yield started
        finally:
            started.kill()


def children(pid: int) -> list[int]:
    """The processes that a process has started, where the system says so."""
    file = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in file.read_text().split()] if file.exists() else []


def killed_after(path: Path, matches: int, workers: int) -> list[int]:
    """Start the tournament, kill it after some matches, and give the process ids of its workers."""
    with playing(path, workers) as started:
        assert started.stdout is not None and started.stdin is not None
        for number in range(matches):
            if number:
                started.stdin.write(b"go on\n")
                started.stdin.flush()
            assert started.stdout.readline() == b"match\n"
        found = children(started.pid)
        started.send_signal(signal.SIGKILL)
    assert started.returncode == -signal.SIGKILL
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_tournament_that_is_killed_again_and_again_gives_the_same_result(tmp_path: Path) -> None:
    whole = play(tmp_path / "whole", TOURNAMENT)
    killed = tmp_path / "killed"
    left = []
    for matches, workers in ((1, 2), (9, 1), (5, 2), (3, 1)):
        left += killed_after(killed, matches, workers)
        kept = TournamentDirectory.open(killed, TOURNAMENT).matches()
        assert matches <= len(kept) < len(whole)
    assert without_times(play(killed, TOURNAMENT)) == without_times(whole)
    lines = (killed / "matches.jsonl").read_text().splitlines()
    assert len(lines) == len(whole), "no match was played twice"
    tables = [make_cross_table(TOURNAMENT, played).summary() for played in (whole, play(killed, TOURNAMENT))]
    for table in tables:
        for row in table["ratings"]:
            del row["seconds_per_move"]
    assert tables[0] == tables[1]
    assert len(left) >= 4 or not Path("/proc/self/task").exists()
    deadline = time.monotonic() + 240
    while any(alive(pid) for pid in left) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(alive(pid) for pid in left), "workers end with the process that started them"


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs to see when workers start")
def test_ctrl_c_while_workers_start_is_quiet(tmp_path: Path) -> None:
    """A terminal sends it to all: the workers do not listen, whenever it comes, and the main process ends."""
    with playing(tmp_path / "t", 2) as started:
        while not children(started.pid) and started.poll() is None:
            time.sleep(0.005)
        for _ in range(40):
            for child in children(started.pid):
                os.kill(child, signal.SIGINT)
            time.sleep(0.01)
        os.killpg(started.pid, signal.SIGINT)
        _, stderr = started.communicate(timeout=240)
    assert (started.returncode, stderr) == (130, b"")


@pytest.mark.parametrize("end", [b'{"a":0,"b":1,"num', b"\xff\xfe", b"{}\n[]\nnull\n", b"\n\n"])
def test_a_broken_end_is_cut_off(tmp_path: Path, end: bytes) -> None:
    whole = play(tmp_path)
    file = tmp_path / "matches.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:10]) + end)
    assert without_times(play(tmp_path)) == without_times(whole)
    assert without_times(TournamentDirectory.open(tmp_path, SMALL).matches()) == without_times(whole)


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": 7},
        {"outcome": None},
        {"actions": [99]},
        {"actions": "none"},
        {"actions": [0, 0, 0, 0, 0]},
        {"opening": 99},
        {"seconds": [1]},
        {"a": 5},
        {"a": 1, "b": 0},
        {"number": 99},
        {"choices": None},
    ],
)
def test_lines_that_are_no_match_are_played_again(tmp_path: Path, change: dict[str, Any]) -> None:
    whole = play(tmp_path)
    file = tmp_path / "matches.jsonl"
    lines = file.read_text().splitlines()
    file.write_text("\n".join([json.dumps(json.loads(lines[0]) | change), *lines[1:]]) + "\n")
    assert len(TournamentDirectory.open(tmp_path, SMALL).matches()) == len(whole) - 1
    assert without_times(play(tmp_path)) == without_times(whole)


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (Tournament(glaux.make("hex:size=3"), SMALL.players, 8, book=1, seed=2), "game"),
        (Tournament(GAME, ("random", "mcts:iterations=30"), 8, book=1, seed=2), "players"),
        (Tournament(GAME, SMALL.players, 10, book=1, seed=2), "games"),
        (Tournament(GAME, SMALL.players, 8, book=2, seed=2), "book"),
        (Tournament(GAME, SMALL.players, 8, opening=1, seed=2), "opening"),
        (Tournament(GAME, SMALL.players, 8, book=1, seed=3), "seed"),
    ],
)
def test_another_tournament_is_refused(tmp_path: Path, other: Tournament, what: str) -> None:
    TournamentDirectory.open(tmp_path, SMALL)
    with pytest.raises(InvalidFile, match=f"holds another tournament, with {what}: "):
        TournamentDirectory.open(tmp_path, other)
    assert other.name != SMALL.name


def test_other_directories_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(InvalidFile, match="is not a directory"):
        TournamentDirectory.open(file, SMALL)
    with pytest.raises(InvalidFile, match="is not empty, and holds no tournament"):
        TournamentDirectory.open(tmp_path, SMALL)
    for head in ("", "{}", "[]", '{"kind": "x", "format": 1}', '{"kind": "glaux tournament", "format": "x"}'):
        (tmp_path / "tournament.json").write_text(head)
        with pytest.raises(InvalidFile, match="is not the head of a tournament"):
            TournamentDirectory.open(tmp_path, SMALL)
    (tmp_path / "tournament.json").write_text('{"kind": "glaux tournament", "format": 99}')
    with pytest.raises(InvalidFile, match="newer Glaux"):
        TournamentDirectory.open(tmp_path, SMALL)


def test_two_processes_do_not_play_in_one_directory(tmp_path: Path) -> None:
    directory = TournamentDirectory.open(tmp_path, SMALL)
    other = TournamentDirectory.open(tmp_path, SMALL)
    with directory.locked(), pytest.raises(InvalidFile, match="Another process is playing"), other.locked():
        pass
    with directory.locked():
        pass


@pytest.mark.parametrize(
    ("tournament", "sentence"),
    [
        (Tournament(GAME, ("random",), 8), "at least two players"),
        (Tournament(GAME, ("random", "random"), 8), "listed twice"),
        (Tournament(GAME, ("random", "rando"), 8), "did you mean 'random'"),
        (Tournament(GAME, ("random", "mcts"), 7), "an even number"),
        (Tournament(GAME, ("random", "mcts"), 0), "an even number"),
        (Tournament(GAME, ("random", "mcts"), 2, opening=2, book=2), "not both"),
        (Tournament(GAME, ("random", "mcts"), 2, book=99), "choose a shorter"),
    ],
)
def test_impossible_tournaments(tournament: Tournament, sentence: str) -> None:
    with pytest.raises(GlauxError, match=sentence):
        tournament.check()


def test_the_cross_table_counts_every_match_once_for_each(tmp_path: Path) -> None:
    matches = play(tmp_path)
    table = make_cross_table(SMALL, matches)
    assert [row.rating.elo for row in table.rows] == sorted((r.rating.elo for r in table.rows), reverse=True)
    assert table.rows[-1].player == "random"
    by_name = {row.player: row for row in table.rows}
    for player, text in enumerate(SMALL.players):
        outcomes = []
        for key, record in matches.items():
            if player in key.sides:
                outcomes.append(record.outcome if key.sides[0] == player else -record.outcome)
        tally = by_name[text].tally
        assert (tally.wins, tally.draws, tally.losses) == tuple(outcomes.count(o) for o in (1, 0, -1))
    for i, row in enumerate(table.rows):
        for j, other in enumerate(table.rows):
            assert row.against[j].wins == other.against[i].losses
    assert table.first.games == len(matches)


def test_the_report_can_be_read_back(tmp_path: Path) -> None:
    matches = play(tmp_path)
    table = make_cross_table(SMALL, matches)
    write_report(tmp_path, table, matches)
    result = json.loads((tmp_path / "result.json").read_text())
    assert [row["player"] for row in result["ratings"]] == [row.player for row in table.rows]
    assert sum(pair["games"] for pair in result["pairs"]) == len(matches)
    texts = (tmp_path / "matches.txt").read_text().split("[Game ")[1:]
    assert len(texts) == len(matches)
    for text, (key, record) in zip(texts, sorted(matches.items()), strict=True):
        tags, _, moves = text.partition("\n\n")
        assert tags.startswith(json.dumps(GAME.text))
        assert f'[First "{SMALL.players[key.sides[0]]}"]' in tags
        assert f'[Second "{SMALL.players[key.sides[1]]}"]' in tags
        end = GAME.play(moves.split())
        assert GAME.outcome(end) == record.outcome
        assert f'[Result "{ {1: "1-0", 0: "1/2-1/2", -1: "0-1"}[record.outcome] }"]' in tags


def test_groups_without_a_point_between_them_are_told(tmp_path: Path) -> None:
    players = ("random", "mcts:iterations=400")
    matches = {
        Key(0, 1, n): PlayedMatch(outcome=1 if n % 2 else -1, actions=[0]) for n in range(8)
    }  # the second player of the list wins with both colours
    table = make_cross_table(Tournament(GAME, players, 8), matches)
    assert table.groups == [["mcts:iterations=400"], ["random"]]
    assert "mcts:iterations=400 lost no points to random" in table.notes[0]
    assert table.rows[0].rating.open_above


def test_the_chart_is_a_png_and_an_svg(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    long_name = "mcts:iterations=5,c=0.7000000000000000000000000000000001"
    players = ("random", long_name)
    matches = {Key(0, 1, n): PlayedMatch(outcome=1 if n % 2 else -1, actions=[0]) for n in range(8)}
    table = make_cross_table(Tournament(GAME, players, 8), matches)
    png, svg = write_chart(tmp_path, table)
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "<svg" in svg.read_text()
    before = svg.read_bytes()
    write_chart(tmp_path, table)
    assert svg.read_bytes() == before, "the same tournament gives the same picture"
