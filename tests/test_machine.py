"""What the machine lets this process use."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

import pytest

from glaux.machine import cores, free_memory, peak_memory


def test_a_process_that_is_restricted_has_fewer_cores() -> None:
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("a process can't be restricted here")
    allowed = os.sched_getaffinity(0)
    assert cores() == len(allowed)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        assert cores() == 1
    finally:
        os.sched_setaffinity(0, allowed)


def test_where_a_process_can_t_be_restricted_it_has_all_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert cores() == 7


def test_memory_is_in_bytes_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    block = bytearray(64 << 20)
    assert len(block) < peak_memory() < 1 << 40
    told = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    monkeypatch.setattr(sys, "platform", "darwin")
    assert told <= peak_memory() < 2 * told


def test_free_memory_is_known_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert 1 << 20 < free_memory() <= whole

    def absent(path: Path) -> str:
        raise FileNotFoundError(path)

    monkeypatch.setattr(Path, "read_text", absent)  # as on macOS
    assert free_memory() == whole // 2
    monkeypatch.setattr(Path, "read_text", lambda _: "MemTotal: 3 kB\nMemAvailable:  2 kB\n")
    assert free_memory() == 2048
