"""The program starts fast: help and version import no command, and nothing heavy."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module

import pytest

from glaux.cli.commands import SUMMARIES, LazyCommand
from tests.cli.runner import run

HEAVY = ("glaux._core", "numpy", "scipy", "torch", "onnxruntime", "fastapi", "rich", "tensorboardX")

STARTED = """
import json, sys
sys.argv = ["glaux", *sys.argv[1:]]
from glaux.cli import main
try:
    main()
finally:
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


def modules_after(*arguments: str) -> set[str]:
    """What a process of its own has imported when ``glaux arguments`` ends."""
    done = subprocess.run([sys.executable, "-c", STARTED, *arguments], capture_output=True, check=True)
    return set(json.loads(done.stderr))


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], []])
def test_help_and_version_import_nothing_heavy(arguments: list[str]) -> None:
    loaded = modules_after(*arguments)
    assert loaded.isdisjoint(HEAVY)
    assert loaded.isdisjoint(f"glaux.cli.{name}" for name in SUMMARIES)


def test_a_command_imports_itself_alone() -> None:
    loaded = modules_after("games")
    assert "glaux.cli.games" in loaded
    assert loaded.isdisjoint(("torch", "scipy", "onnxruntime", "fastapi", "glaux.learn", "glaux.cli.train"))


@pytest.mark.parametrize("name", SUMMARIES)
def test_the_summary_of_a_command_is_its_own(name: str) -> None:
    documented = getattr(import_module(f"glaux.cli.{name}"), name).__doc__
    assert SUMMARIES[name] == documented.splitlines()[0]
    said = run(name, "--help")
    assert said.exit_code == 0
    assert SUMMARIES[name] in " ".join(said.stdout.split())
    assert SUMMARIES[name] in " ".join(run("--help").stdout.split())


@pytest.mark.parametrize("name", SUMMARIES)
def test_help_fits_a_terminal_without_breaks_in_its_examples(name: str) -> None:
    """An example is one line of 80 columns, and what the source wraps is one paragraph."""
    command = LazyCommand(name).load()
    for each in (command, *getattr(command, "commands", {}).values()):
        for paragraph in each.help.split("\n\n"):
            lines = paragraph.removeprefix("\b").strip("\n").split("\n")
            assert len(lines) == 1 or paragraph.startswith("\b")
            assert len(lines) == 1 or max(map(len, lines)) <= 78, max(lines, key=len)
