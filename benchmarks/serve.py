"""Many pages that play at once against MCTS: ``python benchmarks/serve.py [--pages 50]``.

Starts ``glaux serve``, opens so many pages at the same moment (what a browser would ask for: the files of
the page, positions, and a socket on which the server thinks), and lets each play a whole match with
random moves against ``mcts`` with 1,000 iterations. An answer is what somebody waits for: from the move sent
to the reply received.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import sys
import time
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import httpx2 as httpx
from rich.console import Console
from rich.table import Table
from websockets.asyncio.client import connect

PROGRAM = Path(sys.executable).with_name("glaux")
COLUMNS = ("game", "finished", "start", "page", "in all", "answers", "median", "95%", "slowest", "memory")
FILES = ("", "static/app.js", "static/style.css", "static/icon.svg")


class Page:
    """One page: a person who plays at random, and a clock."""

    def __init__(self, address: str, game: str, iterations: int, seed: int) -> None:
        self.address, self.game, self.iterations = address, game, iterations
        self.random = random.Random(seed)
        self.first = bool(seed % 2)
        self.answers: list[float] = []
        self.bytes = 0
        self.outcome: int | None = None

    async def play(self) -> None:
        """Open the page, and play a match to its end."""
        async with httpx.AsyncClient(base_url=self.address, timeout=300) as client:
            for file in FILES:
                self.bytes += len((await client.get(f"/{file}")).content)
            socket = connect(self.address.replace("http", "ws") + "api/think", open_timeout=300)
            async with socket as thinking:
                await self._match(client, thinking)

    async def _match(self, client: httpx.AsyncClient, thinking: Any) -> None:
        actions: list[int] = []
        while True:
            answer = await client.post("/api/position", json={"game": self.game, "actions": actions})
            position = answer.raise_for_status().json()
            self.outcome = position["outcome"]
            if self.outcome is not None:
                return
            if position["first"] == self.first:
                actions.append(self.random.choice(position["actions"])["action"])
            else:
                actions.append(await self._ask(thinking, actions))

    async def _ask(self, thinking: Any, actions: list[int]) -> int:
        begun = time.perf_counter()
        question = {"type": "think", "id": len(actions), "game": self.game, "actions": actions}
        await thinking.send(json.dumps({**question, "player": "mcts", "iterations": self.iterations}))
        while True:
            message = json.loads(await thinking.recv())
            if message["type"] == "error":
                raise RuntimeError(message["error"])
            if message["type"] == "done":
                self.answers.append(time.perf_counter() - begun)
                return int(message["move"]["action"])


def start() -> tuple[Popen[str], str, float]:
    """A server, its address, and the seconds until its page was answered."""
    begun = time.perf_counter()
    command = [str(PROGRAM), "serve", "--port", "0", "--no-browser"]
    variables = os.environ | {"SKBUILD_EDITABLE_VERBOSE": "0"}
    server = Popen(command, stdout=PIPE, text=True, env=variables)
    assert server.stdout is not None
    found = re.search(r"http://\S+", server.stdout.readline())
    assert found is not None
    httpx.get(found[0]).raise_for_status()
    return server, found[0], time.perf_counter() - begun


def memory(process: int, field: str) -> int:
    """Bytes of a process: VmRSS now, VmHWM at most."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


async def load(address: str, game: str, iterations: int, pages: int) -> list[Page]:
    """All the pages at once."""
    made = [Page(address, game, iterations, seed) for seed in range(pages)]
    await asyncio.gather(*(page.play() for page in made))
    return made


def measure(game: str, iterations: int, pages: int) -> dict[str, Any]:
    """The figures of one server with so many pages."""
    server, address, seconds = start()
    try:
        before = memory(server.pid, "VmRSS")
        begun = time.perf_counter()
        played = asyncio.run(load(address, game, iterations, pages))
        taken = time.perf_counter() - begun
        answers = sorted(answer for page in played for answer in page.answers)
        return {
            "game": game,
            "pages": pages,
            "finished": sum(page.outcome is not None for page in played),
            "start_seconds": seconds,
            "page_bytes": played[0].bytes,
            "seconds": taken,
            "answers": len(answers),
            "median_seconds": statistics.median(answers),
            "p95_seconds": answers[int(len(answers) * 0.95)],
            "slowest_seconds": answers[-1],
            "memory_before": before,
            "memory_peak": memory(server.pid, "VmHWM"),
        }
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--game", action="append", help="connect_four and hex:size=7 by default")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    games = chosen.game or ["connect_four", "hex:size=7"]
    rows = [measure(game, chosen.iterations, chosen.pages) for game in games]
    if chosen.json:
        print(json.dumps(rows, indent=2))
        return
    table = Table(title=f"{chosen.pages} pages at once against mcts:iterations={chosen.iterations}")
    for column in (
        "game",
        "finished",
        "start",
        "page",
        "in all",
        "answers",
        "median",
        "95%",
        "slowest",
        "memory",
    ):
        table.add_column(column, justify="left" if column == "game" else "right")
    for row in rows:
        table.add_row(
            row["game"],
            f"{row['finished']}/{row['pages']}",
            f"{row['start_seconds']:.2f} s",
            f"{row['page_bytes'] / 1000:.0f} kB",
            f"{row['seconds']:.1f} s",
            str(row["answers"]),
            f"{row['median_seconds'] * 1000:.0f} ms",
            f"{row['p95_seconds'] * 1000:.0f} ms",
            f"{row['slowest_seconds'] * 1000:.0f} ms",
            f"{row['memory_before'] >> 20} to {row['memory_peak'] >> 20} MB",
        )
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
