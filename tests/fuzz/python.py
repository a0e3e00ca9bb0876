"""Runs a target in Python under Atheris: ``python -m tests.fuzz.python NAME``, then options of libFuzzer.

Atheris instruments the modules of the package while they are imported, so that libFuzzer sees what an
input reaches.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import atheris

import tests.fuzz.sanitized  # noqa: F401 (before the installed core is there)

# Atheris instruments what Python's own loaders load: those of a package that is installed in place come last.
sys.path.insert(0, str(Path(__file__).parents[2] / "src"))
sys.meta_path.sort(key=lambda finder: "Redirecting" in type(finder).__name__)
with atheris.instrument_imports(include=["glaux", "sgfmill", "h11"]):
    from tests.fuzz.all_targets import TARGETS


def main() -> None:
    """Look for inputs that break the target."""
    chosen = TARGETS[sys.argv.pop(1)]

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        rng = random.Random(seed)
        if chosen.mutate is not None and rng.random() < 0.5:
            data = chosen.mutate(data, rng)[:most]
            if rng.random() < 0.8:
                return data
        return bytes(atheris.Mutate(data, most))

    atheris.Setup(sys.argv, chosen.run, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
