"""Reads events as TensorBoard does, from the description of its formats.

A file is records: the length of the data (8 bytes, little-endian), a masked CRC-32C of these 8 bytes, the
data, a masked CRC-32C of the data. The data are ``Event`` messages. Reading a file ends before a record
that is torn. A session log with the status START purges what earlier files have at its step and later.

``tests/learn/test_events.py`` compares it with tensorboardX, whose import takes seconds.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

POLYNOMIAL = 0x82F63B78  # of Castagnoli, reversed


def _table() -> list[int]:
    table = []
    for byte in range(256):
        rest = byte
        for _ in range(8):
            rest = rest >> 1 ^ POLYNOMIAL * (rest & 1)
        table.append(rest)
    return table


TABLE = _table()


def masked_crc(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(content: bytes) -> Iterator[bytes]:
    """The data of each whole record; AssertionError for one that is whole and wrong."""
    at = 0
    while at + 12 <= len(content):
        size, crc = struct.unpack_from("<QI", content, at)
        assert masked_crc(content[at : at + 8]) == crc
        if at + 16 + size > len(content):
            return
        data = content[at + 12 : at + 12 + size]
        assert struct.unpack_from("<I", content, at + 12 + size)[0] == masked_crc(data)
        yield data
        at += 16 + size


def fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a message of protocol buffers: their numbers, and whole numbers or bytes."""
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            value, shift, at = value | (byte & 0x7F) << shift, shift + 7, at + 1
            if byte < 0x80:
                return value

    while at < len(message):
        number, kind = divmod(varint(), 8)
        if kind == 0:
            yield number, varint()
        else:
            size = {1: 8, 5: 4}[kind] if kind != 2 else varint()
            yield number, message[at : at + size]
            at += size
    assert at == len(message)


class Event(NamedTuple):
    """What we need of an event."""

    step: int
    starts: bool
    points: list[tuple[str, float]]


def read_event(data: bytes) -> Event:
    """The fields of ``event.proto``: 2 is the step, 5 the summary with its values, 7 the session log."""
    step, starts, points = 0, False, []
    for number, content in fields(data):
        if number == 2 and isinstance(content, int):
            step = content
        elif number == 5 and isinstance(content, bytes):
            for value in (dict(fields(one)) for _, one in fields(content) if isinstance(one, bytes)):
                tag, number_of_32_bits = value[1], value[2]
                assert isinstance(tag, bytes) and isinstance(number_of_32_bits, bytes)
                points.append((tag.decode(), struct.unpack("<f", number_of_32_bits)[0]))
        elif number == 7 and isinstance(content, bytes):
            starts = (1, 1) in fields(content)
    return Event(step, starts, points)


def curves(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """The points (step, value) that TensorBoard shows of each curve of a directory."""
    found: dict[str, list[tuple[int, float]]] = {}
    for file in sorted(folder.glob("*tfevents*")):
        for event in map(read_event, records(file.read_bytes())):
            if event.starts:
                for points in found.values():
                    points[:] = [point for point in points if point[0] < event.step]
            for tag, value in event.points:
                found.setdefault(tag, []).append((event.step, value))
    return found
