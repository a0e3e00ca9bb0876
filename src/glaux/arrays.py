"""Arrays from files that may come from strangers, and the checks of what is in them.

Of both formats, safetensors and npz, the head is read first, and no array is made before it is known that the
file really has its bytes. An npz is a zip file; ours are stored as they are, so that one which is
compressed, or whose parts overlap, is refused: either could be a few bytes that become many gigabytes.
Nothing is ever unpickled: the types are numbers.
"""

from __future__ import annotations

import io
import math
import struct
from io import BufferedReader
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load

from glaux.errors import InvalidFile, InvalidParameter
from glaux.foreign import open_foreign

Arrays = dict[str, npt.NDArray[Any]]
"""arrays by name"""

HEAD_MOST = 1 << 20
"""bytes of the head of a safetensors file: the names and shapes of its arrays"""
DIRECTORY_MOST = 16 << 20
"""bytes of the directory of an npz file: some hundred thousand arrays"""
KINDS = "biuf"
"""truth values, whole numbers and floating-point numbers"""

_END, _END_64, _LOCATOR = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"


def read_safetensors(content: bytes, file: Path) -> Arrays:
    """The arrays of a safetensors file; InvalidFile if it is not one."""
    head = struct.unpack_from("<Q", content)[0] if len(content) >= 8 else 0
    if not 0 < head <= min(HEAD_MOST, len(content) - 8):
        raise InvalidFile(f"The file '{file}' is not a safetensors file.")
    try:
        return load(content)
    except (SafetensorError, KeyError, ValueError, TypeError, AttributeError, RecursionError):
        raise InvalidFile(f"The file '{file}' is not a safetensors file.") from None
    except MemoryError:
        raise InvalidFile(f"The file '{file}' is too large for the memory of this machine.") from None


def read_npz(path: Path) -> Arrays:
    """The arrays of an npz file that ``numpy.savez`` has written; InvalidFile if it is not one."""
    with open_foreign(path) as file:
        try:
            size = file.seek(0, io.SEEK_END)
            if not 0 <= _directory_size(file, size) <= min(DIRECTORY_MOST, size):
                raise ValueError("its directory is damaged")
            with ZipFile(file) as stored:
                members = stored.infolist()
                _check_members(members, size)
                return {info.filename.removesuffix(".npy"): _read_array(stored, info) for info in members}
        except MemoryError:
            raise InvalidFile(f"The file '{path}' is too large for the memory of this machine.") from None
        except (BadZipFile, ValueError, EOFError, RecursionError, NotImplementedError, struct.error) as error:
            raise InvalidFile(
                f"The file '{path}' does not hold the arrays of a checkpoint: {error}."
            ) from None


def _directory_size(file: BufferedReader, size: int) -> int:
    """The bytes of the directory of a zip file without a comment, as the end of the file says it."""
    length = min(size, 22 + 20 + 56)
    file.seek(size - length)
    end = file.read(length).rjust(22 + 20 + 56, b"\0")
    if not end[76:].startswith(_END):
        raise ValueError("it is cut off or not an npz file")
    if end[56:76].startswith(_LOCATOR) and end[:56].startswith(_END_64):
        return int(struct.unpack_from("<Q", end, 40)[0])
    return int(struct.unpack_from("<L", end, 76 + 12)[0])


def _check_members(members: list[ZipInfo], size: int) -> None:
    names = [info.filename for info in members]
    if len(set(names)) != len(names) or not all(name.endswith(".npy") for name in names):
        raise ValueError("its arrays have invalid names")
    for info in members:
        if info.compress_type != ZIP_STORED or info.flag_bits & 1 or info.file_size != info.compress_size:
            raise ValueError("its arrays are compressed or encrypted")
    if sum(info.file_size for info in members) > size:
        raise ValueError("its arrays overlap")


def _read_array(stored: ZipFile, info: ZipInfo) -> npt.NDArray[Any]:
    with stored.open(info) as member:
        version = np.lib.format.read_magic(member)
        if version != (1, 0):
            raise ValueError("an array is of a format that Glaux does not write")
        try:
            shape, fortran, dtype = np.lib.format.read_array_header_1_0(member)
        except (TypeError, KeyError, SyntaxError, OverflowError, MemoryError):
            raise ValueError("the head of an array is damaged") from None
        if dtype.kind not in KINDS or dtype.names or dtype.subdtype or (fortran and len(shape) > 1):
            raise ValueError("an array is of a type that Glaux does not write")
        count = math.prod(shape)
        if (
            min(shape, default=0) < 0
            or len(shape) > 8
            or count * dtype.itemsize != info.file_size - member.tell()
        ):
            raise ValueError("the shape of an array does not match its bytes")
        return np.frombuffer(member.read(), dtype).reshape(shape)


# What arrays are


def check_array(array: npt.NDArray[Any], dtype: npt.DTypeLike, shape: tuple[int, ...], what: str) -> None:
    """InvalidParameter unless the array is of this type and shape; ``what`` begins the sentence."""
    if array.dtype != np.dtype(dtype) or array.shape != shape:
        found, wanted = f"{array.dtype}{list(array.shape)}", f"{np.dtype(dtype)}{list(shape)}"
        raise InvalidParameter(f"The {what} {found}, and this network needs {wanted}.")


def all_finite(array: npt.NDArray[Any]) -> bool:
    """Whether no number is NaN or infinite: the least and the greatest tell, and need no array beside it."""
    if array.dtype.kind != "f" or array.size == 0:
        return True
    return math.isfinite(array.min()) and math.isfinite(array.max())
