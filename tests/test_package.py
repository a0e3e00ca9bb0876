"""What the files around the package say of it agrees."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from tests.try_wheel import readme_commands

VERSION = tomllib.loads(Path("pyproject.toml").read_text())["project"]["version"]


def test_the_version_is_one() -> None:
    assert re.findall(r"^version: (.+)$", Path("CITATION.cff").read_text(), flags=re.MULTILINE) == [VERSION]
    sections = re.findall(r"^## (.+)$", Path("CHANGELOG.md").read_text(), flags=re.MULTILINE)
    assert sections[0] == "Unreleased"
    assert sections[1].startswith(VERSION)


def test_workflows_call_what_developers_call() -> None:
    workflows = {path.stem: path.read_text() for path in Path(".github/workflows").glob("*.yml")}
    assert ".ci/run" in workflows["test"]
    targets = re.findall(r"run: make (\S+)", "".join(workflows.values()))
    makefile = Path("Makefile").read_text()
    assert targets and all(f"\n{target}:" in makefile for target in targets)


def test_the_readme_starts_with_commands_that_a_wheel_is_tried_with() -> None:
    assert [command.split()[1] for command in readme_commands()] == ["games", "train", "match"]
