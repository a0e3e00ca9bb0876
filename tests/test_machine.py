"""What the machine lets this process use."""

from __future__ import annotations

import os
import resource
import sys

import pytest

from glaux.machine import cores, peak_memory


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
