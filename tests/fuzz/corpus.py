"""The inputs that are kept of every target: a zip file each, because thousands of small files help nobody."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterable
from pathlib import Path

KEPT = Path(__file__).parent / "corpus"
LARGEST = 40_000
"""bytes of a zip file"""
DATE = (1980, 1, 1, 0, 0, 0)


def kept_inputs(name: str) -> dict[str, bytes]:
    """The inputs that are kept of a target, by name."""
    path = KEPT / f"{name}.zip"
    if not path.is_file():
        return {}
    with zipfile.ZipFile(path) as file:
        return {entry: file.read(entry) for entry in sorted(file.namelist())}


def keep_inputs(name: str, inputs: Iterable[bytes]) -> int:
    """Keep some inputs, the small ones first as far as there is room; how many."""
    KEPT.mkdir(exist_ok=True)
    path = KEPT / f"{name}.zip"
    count = 0
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for content in sorted(set(inputs), key=lambda content: (len(content), content)):
            digest = hashlib.sha256(content).hexdigest()[:12]
            file.writestr(zipfile.ZipInfo(digest, DATE), content, zipfile.ZIP_DEFLATED)
            count += 1
            if file.fp is not None and file.fp.tell() + 70 * count > LARGEST:  # with the list at its end
                break
    return count


def unpack(name: str, place: Path, more: Iterable[bytes] = ()) -> None:
    """Write the inputs that are kept, and others, into a directory that may have some already."""
    place.mkdir(parents=True, exist_ok=True)
    for content in (*kept_inputs(name).values(), *more):
        file = place / hashlib.sha1(content, usedforsecurity=False).hexdigest()  # as libFuzzer names them
        if not file.exists():
            file.write_bytes(content)
