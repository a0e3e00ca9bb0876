"""When this process began."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from glaux.cli.starting import process_began

WAIT = "import time; time.sleep(1)\nfrom glaux.cli.starting import process_began\n"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not say")
def test_a_process_began_before_what_it_has_done() -> None:
    code = WAIT + "print(time.perf_counter() - process_began())"
    begun = time.perf_counter()
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert 0.9 < float(said) < time.perf_counter() - begun + 0.1


def test_where_the_system_does_not_say_it_begins_now(tmp_path: Path) -> None:
    assert abs(process_began(tmp_path / "none") - time.perf_counter()) < 60
