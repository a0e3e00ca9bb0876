"""What the documentation site adds to MkDocs, so that the pages stay plain files that read well without it.

Pages outside of ``docs`` (the README as the home page, the log of experiments, ...) become pages of the
site, and folders get a page that lists what is in them. Links lead where they lead in a checkout, to a page
of the site; one to a source becomes its name alone.
"""

from __future__ import annotations

import ast
import os
import re
import tomllib
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
OUTSIDE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "SECURITY.md": "SECURITY.md",
    "experiments/LOG.md": "experiments/LOG.md",
    "experiments/bridge.md": "experiments/bridge.md",
}
"""pages of the checkout that are pages of the site, by their paths here and there"""
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s#]*)(#[^)\s]*)?\)")


def pages_of(folder: str) -> list[Path]:
    """The pages of a folder of ``docs`` but for its list, in the order of their names."""
    return sorted(path for path in (ROOT / "docs" / folder).glob("*.md") if path.stem != "README")


def title_of(page: Path) -> str:
    """The first heading."""
    return page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def on_config(config: Any) -> Any:
    """Put the pages of a folder where the navigation names it."""
    config.nav = [expanded(entry) for entry in config.nav]
    return config


def expanded(entry: Any) -> Any:
    """An entry of the navigation with its folders as lists."""
    if isinstance(entry, str):
        return entry
    [(title, inside)] = entry.items()
    if isinstance(inside, list):
        return {title: [expanded(inner) for inner in inside]}
    if not inside.endswith("/"):
        return entry
    folder = inside.removesuffix("/")
    first = f"{folder}.md" if folder in INDEX else f"{folder}/README.md"
    pages = [{title_of(page): f"{folder}/{page.name}"} for page in pages_of(folder)]
    return {title: [{"All": first}, *pages]}


def on_files(files: Files, config: Any) -> Files:
    """Add the pages of the checkout, and the lists of folders."""
    for source, target in OUTSIDE.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, target, content=text))
    for folder, listed in INDEX.items():
        files.append(File.generated(config, f"{folder}.md", content=listed()))
    return files


def games() -> str:
    """The list of games by their kinds, as ``glaux games`` has it."""
    looks = ROOT / "src/glaux/looks"
    source = ast.parse((looks / "look.py").read_text(encoding="utf-8"))
    [kinds] = [
        ast.literal_eval(node.value)
        for node in source.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "KINDS"
    ]
    of: dict[str, list[Path]] = {kind: [] for kind in kinds}
    for page in pages_of("games"):
        look = tomllib.loads((looks / f"{page.stem}.toml").read_text(encoding="utf-8"))
        if "like" in look:
            look = tomllib.loads((looks / f"{look['like']}.toml").read_text(encoding="utf-8")) | look
        of[look["kind"]].append(page)
    parts = [f"## {kinds[kind]}\n\n{links('games', pages)}" for kind, pages in of.items() if pages]
    return "# Games\n\n" + "\n\n".join(parts) + "\n"


def decisions() -> str:
    """The list of decisions."""
    return f"# Decisions\n\n{links('decisions', pages_of('decisions'))}\n"


def links(folder: str, pages: list[Path]) -> str:
    """A list of links to pages of a folder."""
    return "\n".join(f"- [{title_of(page)}]({folder}/{page.name})" for page in pages)


INDEX = {"games": games, "decisions": decisions}
"""folders whose page with the list is made here, and what makes it"""


def on_page_content(html: str, **_: Any) -> str:
    """Names in docstrings without the roles that Sphinx gives them."""
    return re.sub(r":(?:class|func|meth|mod|data):<code>~?(?:\w+\.)*(\w+)</code>", r"<code>\1</code>", html)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Let the links of a page lead where they lead in a checkout."""
    here = page.file.src_uri
    source = {target: name for name, target in OUTSIDE.items()}.get(here, f"docs/{here}")

    def followed(link: re.Match[str]) -> str:
        picture, text, path, anchor = link[1], link[2], link[3], link[4] or ""
        if not path or "://" in path or path.startswith("mailto:"):
            return link[0]
        target = site_path(os.path.normpath(f"{Path(source).parent}/{path}"))
        if target is None:
            return text
        return f"{picture}[{text}]({os.path.relpath(target, Path(here).parent)}{anchor})"

    # What is inside code is no link.
    parts = re.split(r"(```.*?```|`[^`\n]*`)", markdown, flags=re.DOTALL)
    return "".join(part if i % 2 else LINK.sub(followed, part) for i, part in enumerate(parts))


def site_path(path: str) -> str | None:
    """Where a path of the checkout is on the site; None for sources."""
    if path in OUTSIDE:
        return OUTSIDE[path]
    inside = path.removeprefix("docs/")
    if inside == path:
        return None
    if inside in INDEX:
        return f"{inside}.md"
    return f"{inside}/README.md" if (ROOT / path).is_dir() else inside
