"""Reads events as TensorBoard does, from the description of its formats.

A file is records: the length of the data (8 bytes, little-endian), a masked CRC-32C of these 8 bytes, the
data, a masked CRC-32C of the data. The data are ``Event`` messages. Reading a file ends before a record
that is torn. A session log with the status START purges what earlier files have at its step and later.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tensorboardX.proto.event_pb2 import Event, SessionLog

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


def curves(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """The points (step, value) that TensorBoard shows of each curve of a directory."""
    found: dict[str, list[tuple[int, float]]] = {}
    for file in sorted(folder.glob("*tfevents*")):
        for data in records(file.read_bytes()):
            event: Any = Event.FromString(data)
            if event.HasField("session_log") and event.session_log.status == SessionLog.START:
                for points in found.values():
                    points[:] = [point for point in points if point[0] < event.step]
            for value in event.summary.value:
                found.setdefault(value.tag, []).append((event.step, value.simple_value))
    return found
