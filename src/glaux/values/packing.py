"""Weights packed for playing: whole numbers of few bits, compressed.

An array of weights has one step, its largest number divided by the largest whole number of its bits, so that
no weight is off by more than half a step. The lower and the upper halves of these whole numbers stand apart,
since the upper ones are alike, and xz takes the rest: with fewer bits small weights become 0 and cost
nothing. Arrays of few numbers, as the layers of a pattern network, always have all the bits.

What is read may be a stranger's: the size is known before anything is unpacked, and bounded.
"""

from __future__ import annotations

import lzma
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save

from glaux.arrays import Arrays, read_safetensors
from glaux.errors import InvalidFile, InvalidParameter

BITS = (16, 14, 12, 11, 10, 9, 8, 7, 6)
"""that the whole numbers can have, the finest first"""
FEW = 1 << 15
"""numbers of an array that always has the finest"""
MOST = 32 << 20
"""bytes of arrays that a packed file may become"""
READ_MOST = MOST
"""bytes of the packed file itself"""
MEMORY = 64 << 20
"""bytes that unpacking may take besides"""
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 0, "lp": 0, "pb": 0, "dict_size": 1 << 23}]
"""bytes of numbers say little of those that follow them: no context"""

Shapes = dict[str, dict[str, Any]]
"""what is said of each array besides its bytes: its ``shape`` and ``bits``"""


def pack(arrays: Arrays, bits: int) -> tuple[bytes, dict[str, Any]]:
    """The content of a packed file, and what has to be known to read it: its ``bytes`` and ``arrays``."""
    if bits not in BITS:
        raise InvalidParameter(f"Weights can be packed to {', '.join(map(str, BITS))} bits, not {bits}.")
    stored: Arrays = {}
    about: Shapes = {}
    for name, array in arrays.items():
        own = BITS[0] if array.size <= FEW else bits
        whole, step = _whole(array, own)
        stored[name], stored[f"{name}.step"] = whole, np.array([step], np.float32)
        about[name] = {"shape": list(array.shape), "bits": own}
    content = save(stored)
    if len(content) > MOST:
        raise InvalidParameter(f"A value function of {len(content):,} bytes is too large to pack.")
    return lzma.compress(content, lzma.FORMAT_XZ, filters=_FILTERS), {"bytes": len(content), "arrays": about}


def unpack(content: bytes, about: Mapping[str, Any], file: Path) -> Arrays:
    """The arrays of a packed file, as float32; InvalidFile unless it is what is said of it."""
    size = about["bytes"]
    if not (isinstance(size, int) and 0 < size <= MOST):
        raise InvalidFile(f"The file '{file}' claims to unpack to {size} bytes, and the limit is {MOST:,}.")
    stored = read_safetensors(_expanded(content, size, file), file)
    arrays: Arrays = {}
    for name, one in dict(about["arrays"]).items():
        try:
            arrays[str(name)] = _numbers(stored.pop(name), stored.pop(f"{name}.step"), one)
        except (KeyError, TypeError, ValueError):
            raise InvalidFile(f"The array '{name}' of the file '{file}' is not packed.") from None
    if stored:
        raise InvalidFile(f"The file '{file}' has undescribed arrays.")
    return arrays


def _expanded(content: bytes, size: int, file: Path) -> bytes:
    decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MEMORY)
    try:
        expanded = decompressor.decompress(content, max_length=size)
        if not decompressor.eof:  # the end of the stream may come after the last byte
            expanded += decompressor.decompress(b"", max_length=1)
    except (lzma.LZMAError, EOFError, MemoryError):
        raise InvalidFile(f"The file '{file}' is not a compressed value function.") from None
    if len(expanded) != size or not decompressor.eof or decompressor.unused_data:
        raise InvalidFile(f"The file '{file}' does not unpack to the expected {size:,} bytes.")
    return expanded


def _whole(array: npt.NDArray[Any], bits: int) -> tuple[npt.NDArray[np.uint8], float]:
    """Whole numbers as uint8[2, n], the lower and the upper halves of 16 bits; uint8[1, n] if 8 do."""
    most = 2 ** (bits - 1) - 1
    flat = np.ascontiguousarray(array, np.float32).ravel()
    step = float(np.float32(np.abs(flat).max(initial=0.0) / most))
    whole = np.clip(np.rint(flat / step), -most, most) if step else np.zeros(flat.size)
    if bits <= 8:
        return whole.astype(np.int8).view(np.uint8)[None, :], step
    return np.ascontiguousarray(whole.astype("<i2").view(np.uint8).reshape(-1, 2).T), step


def _numbers(
    whole: npt.NDArray[Any], step: npt.NDArray[Any], about: Mapping[str, Any]
) -> npt.NDArray[np.float32]:
    """The array again; ValueError and the like if it is not one."""
    shape, bits = tuple(about["shape"]), about["bits"]
    if bits not in BITS or not all(isinstance(n, int) and n > 0 for n in shape) or len(shape) > 8:
        raise ValueError
    if whole.dtype != np.uint8 or whole.shape != (1 if bits <= 8 else 2, math.prod(shape)):
        raise ValueError
    if step.dtype != np.float32 or step.shape != (1,) or not 0 <= step[0] < math.inf:
        raise ValueError
    joined = np.ascontiguousarray(whole.T).view("<i1" if bits <= 8 else "<i2")
    numbers: npt.NDArray[np.float32] = joined.ravel().astype(np.float32) * step[0]
    return numbers.reshape(shape)
