"""No file of a stranger does more than be refused: see tests/hostile.py."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import glaux
from tests.hostile import GROWTH, READERS

SAMPLE = 12
SOURCE = Path(glaux.__file__).parent


def tried(reader: str, folder: Path, seed: int, count: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.hostile", reader, str(folder), str(seed), str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    found: dict[str, Any] = json.loads(done.stdout)
    assert not found["failures"], "\n".join(found["failures"])[:5000]
    assert found["grown"] < GROWTH
    return found


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
def test_a_sample_of_hostile_files(reader: str, tmp_path: Path, seed: int) -> None:
    found = tried(reader, tmp_path, seed, SAMPLE)
    assert found["tried"] == SAMPLE
    # The page leaves out what it can't read, and --dry-run looks at the configuration alone.
    assert found["refused"] > SAMPLE // 10 or reader in ("page", "resume")


@pytest.mark.nightly
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("reader", READERS)
def test_every_hostile_file(reader: str, tmp_path: Path) -> None:
    tried(reader, tmp_path, 0, 0)


FORBIDDEN = {
    "pickle": {"load", "loads", "Unpickler"},
    "marshal": {"load", "loads"},
    "torch": {"load"},
    "np": {"load", "fromfile", "memmap"},
    "numpy": {"load", "fromfile", "memmap"},
    "onnx": {"load", "load_model"},
    "shelve": {"open"},
    "os": {"system", "popen", "execv", "execvp"},
}
"""What would execute what a file says, or read it unchecked; whoever needs one gives it a home below."""
UNPICKLED = {"cluster/crew.py"}
"""What workers on one's own cluster send: Ray unpickles all that its nodes say, and no file is read."""
HOMES = {"exec_module": {"rules/registry.py"}, "Popen": {"protocols/process.py", "soak/programs.py"}}
"""The one place that imports a file, and those that start a program: a player, and a soak Glaux itself."""


def test_nothing_is_unpickled_and_code_has_two_doors() -> None:
    files = sorted(SOURCE.rglob("*.py"))
    assert len(files) > 100
    for file in files:
        name = file.relative_to(SOURCE).as_posix()
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Name):
                assert node.id not in ("eval", "exec"), f"{name}:{node.lineno}"
            if not isinstance(node, ast.Attribute):
                continue
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            if owner != "pickle" or name not in UNPICKLED:
                assert node.attr not in FORBIDDEN.get(owner, set()), f"{name}:{node.lineno}"
            assert name in HOMES.get(node.attr, {name}), f"{name}:{node.lineno}"
