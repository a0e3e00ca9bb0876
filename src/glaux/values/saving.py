"""A value function as a directory: value.json says what it is, safetensors files hold its numbers.

value.json names the other files by their content, so it is the only one that is ever replaced, and
it is replaced in one step when all else is written: a reader sees the old value or the new one,
whenever the writer is killed. Nothing is unpickled, and what is read is taken for a stranger's
(``glaux.foreign``, ``glaux.arrays``). One that is packed for playing has its weights in an xz file instead
(``packing.py``).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from glaux.arrays import Arrays, read_safetensors
from glaux.directories import replace_file
from glaux.errors import InvalidFile
from glaux.foreign import read_foreign, read_json
from glaux.values.packing import READ_MOST, pack, unpack

FORMAT, PACKED = 2, 3
"""1: value.json had no checksum of itself; those that are packed have another, which older ones can't read"""
HEAD = "value.json"
PART = "value"
"""where a directory that holds more, such as a checkpoint, has its value function"""
KIND = "glaux value function"


@dataclass(frozen=True)
class Saved:
    """All that a directory holds."""

    family: str
    game: str
    """as a command takes it: hex:size=7,swap=1"""
    settings: dict[str, Any]
    heuristic: str
    learned: int
    history: list[dict[str, Any]]
    weights: Arrays
    optimizer: Arrays = field(default_factory=dict)


def write(path: Path, saved: Saved, bits: int | None = None) -> None:
    """Write the directory, replacing a value function that is there, in one step.

    With ``bits`` the weights are packed.
    """
    path.mkdir(parents=True, exist_ok=True)
    head: dict[str, Any] = {"kind": KIND, "format": PACKED if bits else FORMAT, "versions": _versions()}
    head |= {key: value for key, value in asdict(saved).items() if key not in ("weights", "optimizer")}
    head["files"] = {
        name: _write_arrays(path, name, arrays, bits)
        for name, arrays in (("weights", saved.weights), ("optimizer", saved.optimizer))
        if arrays
    }
    replace_file(path / HEAD, json.dumps(sealed(head), indent=2).encode() + b"\n")
    kept = {entry["name"] for entry in head["files"].values()}
    for old in (*path.glob("*.safetensors"), *path.glob("*.xz")):
        if old.name not in kept:
            old.unlink(missing_ok=True)


def read(path: Path, *, optimizer: bool = True) -> Saved:
    """What a directory holds; InvalidFile with a sentence if it can't be trusted.

    Without ``optimizer`` what is only needed for learning on is left where it is.
    """
    head = read_head(path)
    try:
        files = dict(head["files"])
        saved = Saved(
            family=str(head["family"]),
            game=str(head["game"]),
            settings=dict(head["settings"]),
            heuristic=str(head["heuristic"]),
            learned=int(head["learned"]),
            history=[dict(entry) for entry in head["history"]],
            weights=_read_arrays(path, files["weights"]),
            optimizer=_read_arrays(path, files["optimizer"]) if optimizer and "optimizer" in files else {},
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise InvalidFile(f"'{path / HEAD}' is not the description of a value function.") from None
    return saved


def sealed(head: dict[str, Any]) -> dict[str, Any]:
    """The content of value.json with its checksum."""
    body = {key: value for key, value in head.items() if key != "sha256"}
    content = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
    return {**body, "sha256": hashlib.sha256(content).hexdigest()}


def _versions() -> dict[str, str]:
    found = {}
    for package in ("glaux", "numpy", "torch", "onnxruntime"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _write_arrays(path: Path, name: str, arrays: Arrays, bits: int | None) -> dict[str, Any]:
    about: dict[str, Any] = {}
    if bits:
        content, about = pack(arrays, bits)
    else:
        content = save({key: np.ascontiguousarray(array) for key, array in arrays.items()})
    digest = hashlib.sha256(content).hexdigest()
    file_name = f"{name}-{digest[:16]}.{'xz' if bits else 'safetensors'}"
    replace_file(path / file_name, content)
    return {"name": file_name, "sha256": digest, **about}


def _read_arrays(path: Path, entry: dict[str, Any]) -> Arrays:
    file = path / Path(str(entry["name"])).name
    try:
        content = read_foreign(file, READ_MOST if "bytes" in entry else None)
    except OSError:
        raise InvalidFile(f"The file '{file}' of this value function is missing.") from None
    if hashlib.sha256(content).hexdigest() != entry["sha256"]:
        raise InvalidFile(f"The file '{file}' is truncated or was changed after it was written.")
    return unpack(content, entry, file) if "bytes" in entry else read_safetensors(content, file)


def read_head(path: Path) -> dict[str, Any]:
    """The content of value.json; InvalidFile with a sentence if it is not one that this Glaux reads."""
    if not path.is_dir():
        raise InvalidFile(f"There is no directory '{path}'.")
    try:
        head = read_json(path / HEAD)
    except OSError:
        raise InvalidFile(f"The directory '{path}' holds no value function: it has no {HEAD}.") from None
    except ValueError:
        raise InvalidFile(f"'{path / HEAD}' is truncated or not JSON.") from None
    if not isinstance(head, dict) or head.get("kind") != KIND:
        raise InvalidFile(f"'{path / HEAD}' does not describe a value function of Glaux.")
    if not isinstance(head.get("format"), int) or head["format"] > PACKED:
        raise InvalidFile(
            f"'{path}' was written by a newer Glaux (format {head.get('format')}, this one reads "
            f"{PACKED}): upgrade Glaux to use it."
        )
    if head["format"] != 1 and head != sealed(head):
        raise InvalidFile(f"'{path / HEAD}' is damaged: it was changed after it was written.")
    if not isinstance(head.get("versions"), dict):
        raise InvalidFile(f"'{path / HEAD}' is not the description of a value function.")
    return head
