"""When a training counts as having come to a new match."""

from pathlib import Path

from glaux.directories import append_line, replace_file
from glaux.soak.trainings import Growing


def test_a_row_counts_and_a_cut_does_not(tmp_path: Path) -> None:
    path = tmp_path / "matches.jsonl"
    growing = Growing(path)
    assert not growing.grew()
    for number in (1, 2, 3):
        append_line(path, {"match": number})
        assert growing.grew() and not growing.grew()
    replace_file(path, b'{"match":1}\n')  # as a resume does
    assert not growing.grew()
    append_line(path, {"match": 2})
    assert growing.grew()
    again = Growing(path)
    replace_file(path, path.read_bytes() * 2)
    assert not again.grew()
