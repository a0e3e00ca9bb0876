"""The public face of the package: its names are imported when they are asked for, and are all there."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import glaux


def test_every_name_is_there_and_listed() -> None:
    for name in glaux.__all__:
        assert getattr(glaux, name) is not None
    assert set(glaux.__all__) <= set(dir(glaux))
    with pytest.raises(AttributeError, match="has no attribute 'mak'"):
        glaux.mak  # noqa: B018 (asking is the test)


def test_type_checkers_see_the_same_names() -> None:
    """What stands below ``TYPE_CHECKING`` is what ``__getattr__`` finds."""
    tree = ast.parse(Path(str(glaux.__file__)).read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    seen = {
        str(node.module).removeprefix("glaux."): tuple(alias.name for alias in node.names)
        for node in imports
        if str(node.module).startswith("glaux.") and node.module != "glaux.errors"
    }
    assert seen == glaux._HOMES
    assert {name for names in seen.values() for name in names} | {
        "GlauxError",
        "__version__",
        "errors",
    } == set(glaux.__all__)


@pytest.mark.parametrize(
    "statement",
    [
        "import glaux; glaux.make('hex', size=5)",
        "from glaux import *; make('hex', size=5); UBFM; errors.GlauxError",
        "import glaux; glaux.search.best_first.UBFM; glaux.values.networks; glaux.rules.game.State",
    ],
)
def test_imports_of_a_fresh_process(statement: str) -> None:
    subprocess.run([sys.executable, "-c", statement], check=True)
