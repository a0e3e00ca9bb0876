"""The experiments that ship with the package, and files of the user's own."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from glaux.errors import InvalidFile, UnknownName, suggest
from glaux.experiments.reading import read_experiment
from glaux.experiments.spec import Experiment

SUFFIX = ".toml"
ORDER = ("table2", "table3", "table4", "ordinal", "replay", "completion", "play", "exit", "polygames")
"""that of the papers; others come after them"""


def shipped() -> list[str]:
    """The names of the experiments that ship, in the order of the papers."""
    folder = files("glaux.experiments") / "papers"
    names = sorted(file.name.removesuffix(SUFFIX) for file in folder.iterdir() if file.name.endswith(SUFFIX))
    return [*(name for name in ORDER if name in names), *(name for name in names if name not in ORDER)]


def find_text(name: str) -> tuple[str, str]:
    """The name of an experiment and the text of its file: one that ships, or the path of a TOML file."""
    known = shipped()
    if name in known:
        return name, (files("glaux.experiments") / "papers" / f"{name}{SUFFIX}").read_text()
    path = Path(name)
    if path.suffix == SUFFIX or path.is_file():
        if not path.is_file():
            raise InvalidFile(f"There is no file '{path}'.")
        try:
            return path.stem, path.read_text()
        except (OSError, UnicodeDecodeError):
            raise InvalidFile(f"'{path}' is not a text file.") from None
    raise UnknownName(f"There is no experiment '{name}'{suggest(name, known)}")


def find_experiment(name: str) -> tuple[str, Experiment]:
    """The name of an experiment, and what its file says."""
    found, text = find_text(name)
    return found, read_experiment(text, name)
