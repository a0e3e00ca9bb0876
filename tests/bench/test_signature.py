"""The signature: the same everywhere, another when behaviour is, and the one that is kept beside the code."""

from __future__ import annotations

import json
import platform
from pathlib import Path

import pytest

import glaux
from glaux.bench import signature as bench
from glaux.bench.signature import SignaturePart
from glaux.errors import InvalidFile
from glaux.learn.registry import LEARNERS
from glaux.search.registry import SEARCHES
from tests.cli.runner import refusal, run, run_process

KEPT = Path("benchmarks/signature.txt")


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="the kept number is that of x86-64")
def test_behaviour_is_as_the_kept_number_says() -> None:
    """If it should have changed: ``make signature``, and the commit says why."""
    code, stdout, stderr = run_process("bench", "signature", "--expected", str(KEPT))
    assert (code, stderr) == (0, ""), stderr
    assert stdout == f"signature {bench.read_expected(KEPT)[bench.TOTAL]}\n"


def test_every_game_search_and_learner_has_a_part() -> None:
    names = [name for name, _ in bench.tasks()]
    assert len(names) == len(set(names))
    for game in glaux.games():
        assert {f"{game} {search}" for search in SEARCHES} <= set(names)
    assert {f"training {learner}" for learner in LEARNERS} <= set(names)


def test_the_same_again_and_another_if_something_else_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = dict(bench.tasks())
    names = [f"{glaux.games()[0]} {name}" for name, entry in SEARCHES.items() if not entry.iterations] + [
        "training td"
    ]
    before = [tasks[name]() for name in names]
    assert [tasks[name]() for name in names] == before
    assert bench.signature(before) == bench.signature(reversed(before))
    monkeypatch.setattr(bench, "EVALUATIONS", 3 * bench.EVALUATIONS)
    monkeypatch.setitem(bench.TRAINING, "seed", 2)
    after = [tasks[name]() for name in names]
    expected = {part.name: part.number for part in before}
    assert bench.changes(before, expected) == []
    assert bench.changes(after, expected) == names
    assert bench.signature(before) != bench.signature(after)


def test_what_is_kept_is_read_back(tmp_path: Path) -> None:
    parts = [SignaturePart("othello ubfm", 3, [1, 2]), SignaturePart("training td", 4, {"a": 0.5})]
    bench.write_expected(tmp_path / "kept", parts)
    expected = bench.read_expected(tmp_path / "kept")
    assert expected == {bench.TOTAL: bench.signature(parts)} | {part.name: part.number for part in parts}
    assert bench.changes(parts[:1], expected) == ["training td"]
    assert bench.changes([*parts, SignaturePart("new", 0, [])], expected) == ["new"]
    (tmp_path / "kept").write_text("no number\n")
    with pytest.raises(InvalidFile, match="not a signature file"):
        bench.read_expected(tmp_path / "kept")


def test_zeros_and_digits_that_mean_nothing() -> None:
    assert json.dumps([bench.rounded(-1e-9), bench.rounded(0.12345678)]) == "[0.0, 0.123]"
    assert bench.digest([1, "a"]) == 2192370336


def test_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    part = SignaturePart("othello ubfm", 3, [1, 2])
    monkeypatch.setattr(bench, "tasks", lambda: [(part.name, lambda: part)])
    number, kept = bench.signature([part]), str(tmp_path / "kept")
    assert run("bench", "signature", "--write", kept).stdout == f"signature {number}\n"
    assert run("bench", "signature", "--expected", kept).exit_code == 0
    assert json.loads(run("bench", "signature", "--json").stdout) == {
        "signature": number,
        "parts": [{"part": part.name, "signature": part.number, "evaluations": 3}],
    }
    assert str(part.number) in run("bench", "signature", "--verbose").stdout
    part = SignaturePart("othello ubfm", 3, [1, 3])
    result = run("bench", "signature", "--expected", kept)
    assert result.exit_code == 2 and "behaviour has changed in othello ubfm." in result.stderr
    assert "No such file" in refusal("bench", "signature", "--expected", str(tmp_path / "none"))
