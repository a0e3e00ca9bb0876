"""Which core of a wheel is taken: by the flags that Linux gives of the processor."""

from __future__ import annotations

from pathlib import Path

import pytest

from glaux._core.processor import V3, runs_v3

OLD = "fpu vme sse4_1 sse4_2 ssse3 cx16 lahf_lm popcnt"


def cpuinfo(path: Path, flags: str) -> Path:
    file = path / "cpuinfo"
    file.write_text(f"processor\t: 0\nmodel name\t: A 64-bit one\nflags\t\t: {flags}\nbugs\t\t: none\n")
    return file


@pytest.fixture(autouse=True)
def nobody_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GLAUX_ARCH", raising=False)


def test_a_processor_with_all_the_flags_runs_v3(tmp_path: Path) -> None:
    assert runs_v3(cpuinfo(tmp_path, f"{OLD} {' '.join(sorted(V3))} avx512f"))


@pytest.mark.parametrize("missing", sorted(V3))
def test_one_flag_that_is_missing_is_enough_for_the_old_core(tmp_path: Path, missing: str) -> None:
    assert not runs_v3(cpuinfo(tmp_path, f"{OLD} {' '.join(sorted(V3 - {missing}))}"))


def test_where_nobody_knows_the_old_core_is_taken(tmp_path: Path) -> None:
    assert not runs_v3(tmp_path / "none")
    empty = tmp_path / "empty"
    empty.write_text("Features\t: fp asimd\n")  # as on aarch64
    assert not runs_v3(empty)


def test_the_environment_can_ask_for_the_old_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLAUX_ARCH", "x86-64-v2")
    assert not runs_v3(cpuinfo(tmp_path, " ".join(V3)))
