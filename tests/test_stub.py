"""The committed stub of the native core is the one that the core gives."""

import subprocess
import sys
from pathlib import Path


def test_the_stub_is_not_stale(tmp_path: Path) -> None:
    fresh = tmp_path / "native.pyi"
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "glaux._core.native", "-o", str(fresh)],
        check=True,
    )
    committed = Path("src/glaux/_core/native.pyi")
    assert fresh.read_text() == committed.read_text(), "run `make stubs`"
