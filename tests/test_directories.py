"""Lines that survive a kill, and one writer at a time."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glaux.directories import append_line, cut_broken_end, locked, read_lines
from glaux.errors import InvalidFile

rows = st.lists(st.dictionaries(st.text(), st.integers() | st.text() | st.lists(st.integers())), max_size=5)


@given(rows, st.integers(0, 10_000), rows)
def test_whatever_is_cut_off_whole_lines_stay(
    tmp_path_factory: pytest.TempPathFactory, before: list[dict], cut: int, after: list[dict]
) -> None:
    path = tmp_path_factory.mktemp("lines") / "lines.jsonl"
    for row in before:
        append_line(path, row)
    content = path.read_bytes() if path.exists() else b""
    kept = content[: min(cut, len(content))]
    path.write_bytes(kept)
    cut_broken_end(path)
    for row in after:
        append_line(path, row)
    whole = kept.count(b"\n")
    assert list(read_lines(path)) == before[:whole] + after


def test_no_file_has_no_lines(tmp_path: Path) -> None:
    assert list(read_lines(tmp_path / "none")) == []
    cut_broken_end(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_one_at_a_time(tmp_path: Path) -> None:
    refused = pytest.raises(InvalidFile, match="Another process is counting in")
    with locked(tmp_path, "counting"), refused, locked(tmp_path, "counting"):
        pass
    with locked(tmp_path, "counting"):
        pass
