"""``glaux serve`` with the runs of the soak, and clients that click."""

from __future__ import annotations

import re
import signal
import threading
import time

from glaux.soak.clients import Clicks, Client
from glaux.soak.ledger import Ledger, Place
from glaux.soak.part import BEAT, PATIENCE, Part
from glaux.soak.programs import Program
from glaux.words import plural


class Serving(Part):
    """The server and its clients."""

    title = "server"
    name = "serve"

    def __init__(self, place: Place, ledger: Ledger, clients: int, pause: float) -> None:
        super().__init__(place, ledger)
        self.count, self.pause = clients, pause
        self.clicks = Clicks()

    def line(self) -> str:
        """Clicks and how long they took."""
        median, slow = (1000 * self.clicks.at(share) for share in (0.5, 0.95))
        return f"{plural(self.clicks.count, 'click')}, median {median:.0f} ms, 95% below {slow:.0f} ms"

    def work(self) -> None:
        """Serve until the end, then Ctrl-C."""
        self.place.runs.mkdir(parents=True, exist_ok=True)
        options = ["--port", "0", "--no-browser", "--runs", str(self.place.runs), "--memory", "32M"]
        with self.program(self.name, ["serve", *options]) as program:
            port = self._port(program)
            if port is None:
                self.crashed(self.name, program)
                return
            threads = [
                threading.Thread(target=self._click, args=(port, number, program), daemon=True)
                for number in range(self.count)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            if program.ended() is not None:
                self.crashed(self.name, program)
            elif program.stop(signal.SIGINT, PATIENCE) != 130 or program.said():
                self.crashed(f"{self.name}, stopped by Ctrl-C", program)

    def _port(self, program: Program) -> int | None:
        while program.ended() is None and program.seconds < PATIENCE:
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", program.output())
            if found:
                return int(found[1])
            time.sleep(BEAT)
        return None

    def _click(self, port: int, number: int, program: Program) -> None:
        client = Client(port, self.clicks, self.stop, self.pause, self.place.seed + number)
        while not self.stop.is_set() and program.ended() is None:
            try:
                client.play()
            except Exception as error:
                if program.ended() is None:
                    self.ledger.fault(f"A client: {type(error).__name__}: {error}")
                self.stop.wait(5.0)
