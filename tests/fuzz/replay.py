"""Takes each of the inputs that are kept once, without a fuzzer: the native targets by their binary,
``python -m tests.fuzz.replay build/sanitize-memory/cpp/fuzz/replay``, those in Python in ``test_corpus.py``.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.fuzz.corpus import unpack


def replay(binary: str) -> None:
    """Every native target; CalledProcessError if an input breaks one."""
    names = subprocess.run([binary], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    for name in names:
        with tempfile.TemporaryDirectory() as place:
            unpack(name, Path(place))
            subprocess.run([binary, name, *map(str, sorted(Path(place).iterdir()))], check=True)


if __name__ == "__main__":
    replay(sys.argv[1])
