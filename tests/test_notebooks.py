"""The notebooks of the docs: every cell runs, and what it shows has a picture."""

import ast
import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted(Path("docs/notebooks").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path) -> None:
    names: dict[str, object] = {"__name__": "__main__"}
    shown = []
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [], "committed without outputs"
        body = ast.parse("".join(cell["source"])).body
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), str(path), "exec"), names)
        if isinstance(last, ast.Expr):
            shown.append(eval(compile(ast.Expression(last.value), str(path), "eval"), names))
    ways = ("_repr_svg_", "_repr_html_")
    pictures = [getattr(one, name)() for one in shown for name in ways if hasattr(one, name)]
    assert pictures and all("<svg" in picture for picture in pictures)
