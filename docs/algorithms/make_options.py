"""Writes what the registry of searches says into the pages: the searches by name, and their options.

``python docs/algorithms/make_options.py``; a test says if a page is stale. What is written stands between
two comments, ``<!-- options -->`` and ``<!-- end -->`` for example.
"""

import re
from dataclasses import fields
from pathlib import Path

from glaux.fields import help_of, kind_of, write_text
from glaux.players.search_players import DecisionLimits, Valuing
from glaux.search.options import SearchOptions
from glaux.search.registry import SEARCHES, Entry

HERE = Path(__file__).parent
SHARED = {f.name for f in fields(SearchOptions)}


def pages() -> dict[Path, str]:
    """Each page as it should be."""
    found = {
        path: fill(path.read_text(), "options", options(path.stem))
        for path in {HERE / f"{entry.page}.md" for entry in SEARCHES.values()}
    }
    for path, name, text in (
        (HERE / "README.md", "searches", searches()),
        (HERE.parent / "cli.md", "players", players()),
        (HERE.parent / "cli.md", "settings", settings()),
    ):
        found[path] = fill(found.get(path) or path.read_text(), name, text)
    return found


def fill(page: str, name: str, text: str) -> str:
    """The page with the text between the comments of this name."""
    parts = re.split(rf"(<!-- {name} -->\n).*?(<!-- end -->)", page, maxsplit=1, flags=re.DOTALL)
    if len(parts) != 4:
        raise SystemExit(f"a page lacks the comments <!-- {name} --> and <!-- end -->")
    return parts[0] + parts[1] + text + parts[2] + parts[3]


def searches() -> str:
    """The searches by name."""
    rows = ["| name | what it is | class |", "|---|---|---|"]
    for entry in SEARCHES.values():
        where = f"`{entry.search.__module__}.{entry.search.__name__}`"
        rows.append(f"| [`{entry.name}`]({entry.page}.md) | {entry.summary} | {where} |")
    return "\n".join(rows) + "\n"


def options(page: str) -> str:
    """The options of the searches of a page."""
    text, seen = "", {}
    for entry in SEARCHES.values():
        if entry.page != page:
            continue
        kind = type(entry.options)
        if kind in seen:
            text += (
                f"\n`{entry.name}` has the options of `{seen[kind].name}`{differing(seen[kind], entry)}.\n"
            )
            continue
        seen[kind] = entry
        own_first = sorted(fields(entry.options), key=lambda f: f.name in SHARED)
        rows = [row(f, getattr(entry.options, f.name)) for f in own_first]
        text += f"\n| option of `{entry.name}` | default | meaning |\n|---|---|---|\n" + "".join(rows)
    return text.removeprefix("\n")


def differing(usual: Entry, entry: Entry) -> str:
    """How the defaults of one entry differ from those of another with the same options."""
    differ = [
        f for f in fields(entry.options) if getattr(entry.options, f.name) != getattr(usual.options, f.name)
    ]
    return "".join(f", with `{f.name}` = `{getattr(entry.options, f.name)}`" for f in differ)


def row(f, default) -> str:
    """One option or setting."""
    shown = write_text(default, kind_of(f))
    return f"| `{f.name}` | {f'`{shown}`' if shown else ''} | {help_of(f)} |\n"


def players() -> str:
    """The players that search, with the options that not all of them have."""
    text = "| PLAYER | plays | settings of its own |\n|---|---|---|\n"
    for entry in SEARCHES.values():
        own = ", ".join(f"`{name}`" for name in entry.option_names if name not in SHARED)
        text += f"| `{entry.name}` | [{entry.summary}](algorithms/{entry.page}.md) | {own} |\n"
    return text


def settings() -> str:
    """The settings that all the players that search have."""
    parts = (DecisionLimits(), Valuing(), SearchOptions())
    rows = [row(f, getattr(part, f.name)) for part in parts for f in fields(part)]
    return "| setting | default | meaning |\n|---|---|---|\n" + "".join(rows)


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text)
