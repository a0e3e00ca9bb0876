"""The figures of a training for TensorBoard.

They are written here and now: tensorboardX's own SummaryWriter hands them to a thread through a queue, and
waits for ever if that thread has met a full disk.
"""

from __future__ import annotations

import time
from pathlib import Path

from glaux.directories import writing


class Events:
    """A file of events in a directory."""

    def __init__(self, path: Path, first: int) -> None:
        """What earlier files have after step ``first`` doesn't count any more."""
        from tensorboardX.event_file_writer import EventsWriter  # noqa: PLC0415 (torch: takes seconds)
        from tensorboardX.proto.event_pb2 import Event, SessionLog  # noqa: PLC0415
        from tensorboardX.summary import scalar  # noqa: PLC0415

        self.path, self._event, self._scalar = path, Event, scalar
        path.mkdir(exist_ok=True)
        with writing(path):
            self._writer = EventsWriter(str(path / "events"), f".{time.time_ns()}")
            start = SessionLog(status=SessionLog.START)
            # A start purges what has its step or a later one, and step ``first`` is to stay.
            self._writer.write_event(Event(wall_time=time.time(), step=first + 1, session_log=start))

    def add_scalar(self, name: str, value: float, step: int) -> None:
        """A point of a curve."""
        with writing(self.path):
            summary = self._scalar(name, value)
            self._writer.write_event(self._event(wall_time=time.time(), step=step, summary=summary))

    def flush(self) -> None:
        """Let all of it be on the disk."""
        with writing(self.path):
            self._writer.flush()

    def close(self) -> None:
        """Write the rest; there is no more."""
        with writing(self.path):
            self._writer.close()
