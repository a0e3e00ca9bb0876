"""Tries a wheel as a new user would: ``python tests/try_wheel.py dist/glaux-*.whl``, or ``make wheel-test``.

Installs it into an empty environment and runs the commands of the README's section *Start*, with less time
to train and fewer games. A wheel with two cores runs them with both, which must agree on the signature.
``--here`` tries what is installed in the environment of this Python instead, as cibuildwheel wants it.
Not a test of pytest: a wheel takes minutes to build.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LARGEST = 25_000_000
"""bytes of a wheel"""
SHORTER = [(r"--minutes \S+", "--minutes 0.17"), (r"--games \S+", "--games 4")]
INTERACTIVE = {"play", "serve"}


def readme_commands() -> list[str]:
    """The lines of the README's first steps that end by themselves, made short."""
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Start")[2]
    lines = [line.partition("#")[0].strip() for line in section.split("```")[1].splitlines()]
    commands = [line for line in lines if line.startswith("glaux ") and line.split()[1] not in INTERACTIVE]
    assert {"games", "train", "match"} <= {command.split()[1] for command in commands}
    for pattern, shorter in SHORTER:
        commands = [re.sub(pattern, shorter, command) for command in commands]
    return commands


def call(python: Path, command: str, place: Path, **settings: str) -> str:
    """What a command prints, in an environment in which nothing of the checkout can be found."""
    environment = {key: text for key, text in os.environ.items() if key != "PYTHONPATH"} | settings
    begun = time.perf_counter()
    done = subprocess.run(
        [str(python), "-m", *command.split()],
        cwd=place,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    print(f"{time.perf_counter() - begun:6.1f} s  {command}", flush=True)
    if done.returncode:
        sys.exit(f"{command} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def try_out(python: Path, place: Path) -> None:
    """All the commands, with each of the cores."""
    where = "import glaux._core.native as native; print(native.__file__)"
    found = {}
    for wanted in ("", "x86-64-v2"):
        done = subprocess.run(
            [str(python), "-c", where],
            cwd=place,
            env={**os.environ, "GLAUX_ARCH": wanted},
            capture_output=True,
            text=True,
            check=True,
        )
        found[done.stdout.strip()] = wanted
    assert all(ROOT not in Path(core).parents for core in found), f"the checkout was imported: {found}"
    signatures = set()
    for core, wanted in found.items():
        print(core)
        folder = place / (wanted or "own")
        folder.mkdir()
        for command in readme_commands():
            call(python, command, folder, GLAUX_ARCH=wanted)
        signatures.add(call(python, "glaux bench signature", folder, GLAUX_ARCH=wanted))
    assert len(signatures) == 1, f"the cores differ: {signatures}"


def main() -> None:
    """Read the arguments, install and try."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("wheel", type=Path, nargs="?")
    parser.add_argument("--here", action="store_true", help="try what is installed here")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        if arguments.here:
            try_out(Path(sys.executable), place)
            return
        size = arguments.wheel.stat().st_size
        print(f"{arguments.wheel.name}: {size / 1e6:.1f} MB")
        assert size < LARGEST, f"a wheel should be below {LARGEST / 1e6:g} MB"
        venv.create(place / "venv", with_pip=True)
        python = place / "venv" / "bin" / "python"
        call(python, f"pip install --quiet {arguments.wheel.resolve()}", place)
        try_out(python, place)


if __name__ == "__main__":
    main()
