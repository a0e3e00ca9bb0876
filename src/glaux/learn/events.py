"""The figures of a training run for TensorBoard.

A file of events is records: the length of the data (8 bytes, little-endian), a masked CRC-32C of these bytes,
the data, a masked CRC-32C of the data. The data are ``Event`` messages of TensorFlow's ``event.proto``, as
protocol buffers have them: each field with its number and type, then its value.

They are written here and now. The libraries for it import PyTorch, which a training run with tables of
n-tuples does without (one to two seconds of the processor, 180 megabytes), and they hand the events to a
thread through a queue, where a training run waits for ever if that thread has met a full disk.
"""

from __future__ import annotations

import math
import os
import socket
import struct
import time
from pathlib import Path

from glaux.directories import writing

VARINT, DOUBLE, BYTES, FLOAT = 0, 1, 2, 5
"""types of fields"""
VERSION = "brain.Event:2"
START = 1
"""the status of a session log that begins"""
POLYNOMIAL = 0x82F63B78
"""Castagnoli's, with its bits reversed"""


class Events:
    """A file of events in a directory."""

    def __init__(self, path: Path, first: int) -> None:
        """What earlier files have after step ``first`` no longer counts."""
        self.path = path
        path.mkdir(exist_ok=True)
        name = f"events.out.tfevents.{int(time.time())}.{socket.gethostname()}.{time.time_ns()}"
        with writing(path):
            self._file = (path / name).open("wb")
        self._add(_bytes(3, VERSION.encode()))
        # A start purges what has its step or a later one, and step ``first`` is to stay.
        self._add(_whole(2, first + 1) + _bytes(7, _whole(1, START)))

    def add_scalar(self, name: str, value: float, step: int) -> None:
        """A point of a curve."""
        point = _bytes(1, name.encode()) + _single(2, value)
        self._add(_whole(2, step) + _bytes(5, _bytes(1, point)))

    def flush(self) -> None:
        """Let all of it be on the disk."""
        with writing(self.path):
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Write the rest; there is no more."""
        self.flush()
        self._file.close()

    def _add(self, fields: bytes) -> None:
        """An event with the time of now and these fields."""
        event = _tag(1, DOUBLE) + struct.pack("<d", time.time()) + fields
        length = struct.pack("<Q", len(event))
        with writing(self.path):
            self._file.write(length + _checksum(length) + event + _checksum(event))


def _tag(number: int, kind: int) -> bytes:
    """The head of a field; ours have small numbers."""
    return bytes([number << 3 | kind])


def _varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first; the eighth bit says that there are more."""
    low, rest = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])


def _whole(number: int, value: int) -> bytes:
    """A field with a whole number that is not negative."""
    return _tag(number, VARINT) + _varint(value)


def _single(number: int, value: float) -> bytes:
    """A field with a number of 32 bits; one that is too large for them is infinite."""
    try:
        return _tag(number, FLOAT) + struct.pack("<f", value)
    except OverflowError:
        return _tag(number, FLOAT) + struct.pack("<f", math.copysign(math.inf, value))


def _bytes(number: int, content: bytes) -> bytes:
    """A field with bytes: a text, or a message of its own."""
    return _tag(number, BYTES) + _varint(len(content)) + content


def _table() -> list[int]:
    """The CRC-32C of every byte."""
    table = list(range(256))
    for _ in range(8):
        table = [rest >> 1 ^ POLYNOMIAL * (rest & 1) for rest in table]
    return table


TABLE = _table()


def _checksum(data: bytes) -> bytes:
    """The masked CRC-32C: rotated, and a constant added, so that sums of data with sums in it are fine."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)
