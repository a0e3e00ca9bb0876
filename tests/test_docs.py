"""One thing, one stem, everywhere: each game and algorithm has its page, alike in form and true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import glaux
from tests.boards import GAMES

GAME_HEADINGS = ["Rules", "Notation", "State", "Planes", "Symmetries", "Sources"]
ALGORITHM_HEADINGS = ["Idea", "Algorithm", "Picture", "What differs", "Use", "Sources"]
ALGORITHMS = sorted(p.stem for p in Path("docs/algorithms").glob("*.md") if p.stem != "README")


def headings(page: Path) -> list[str]:
    return re.findall(r"^## (.+)$", page.read_text(), flags=re.MULTILINE)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_its_files(name: str) -> None:
    assert Path(f"cpp/games/{name}.h").is_file()
    assert Path(f"tests/games/test_{name}.py").is_file()
    assert headings(Path(f"docs/games/{name}.md")) == GAME_HEADINGS


@pytest.mark.parametrize("name", GAMES)
def test_pages_of_games_tell_the_truth(name: str) -> None:
    page = Path(f"docs/games/{name}.md").read_text()
    game = glaux.make(name)
    assert f"{game.spec.state_size} bytes" in page
    section = page.partition("## Planes")[2].partition("##")[0]
    assert f"{len(game.spec.planes)} planes" in section
    example = re.search(r"^Text: `([^`]+)`", page, flags=re.MULTILINE)
    assert example is not None
    board = example[1].split()[0].split("/")
    by_side = game.spec.board.rows != game.parameters.get("size")  # as the size of a board of hexagons
    side = (len(board) + 1) // 2 if by_side else len(board)
    lengths = {"rows": len(board), "columns": len(board[0]), "size": side}
    shown = glaux.make(name, **{key: n for key, n in lengths.items() if key in game.parameters})
    assert shown.state_text(shown.parse_state(example[1])) == example[1]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_has_the_same_page(name: str) -> None:
    assert headings(Path(f"docs/algorithms/{name}.md")) == ALGORITHM_HEADINGS


def test_links_lead_somewhere() -> None:
    pages = [*Path("docs").rglob("*.md"), Path("README.md"), Path("CONTRIBUTING.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page}: {target}"


def test_the_reference_has_every_public_name() -> None:
    documented = re.findall(r"^::: glaux\.(\w+)$", Path("docs/api.md").read_text(), flags=re.MULTILINE)
    assert sorted([*documented, "GlauxError", "__version__"]) == sorted(glaux.__all__)
