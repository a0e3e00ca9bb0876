"""Many pages that play at once against MCTS: ``python benchmarks/serve.py [--pages 50]``.

Starts ``glaux serve``, opens so many pages at the same moment (what a browser would ask for: the files of
the page, positions, and a socket on which the server thinks), and lets each play a whole match with
random moves against ``mcts`` with 1,000 iterations. A click is answered by the position after it; a reply is
what somebody waits for then: from the move sent to the one received.

    python benchmarks/serve.py --pages 500 --pause 10 --clicks 6     people, who think before each click
    python benchmarks/serve.py --requests 100000                    does memory grow?

All is on this machine, and ends by itself: the second kind after ``--seconds`` at the latest.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
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
COLUMNS = (
    "game",
    "served",
    "start",
    "page",
    "in all",
    "clicks",
    "click",
    "95%",
    "reply",
    "95%",
    "slowest",
    "memory",
)
FILES = ("", "static/app.js", "static/style.css", "static/icon.svg")


class Page:
    """One page: a person who plays at random, and a clock."""

    def __init__(self, address: str, chosen: argparse.Namespace, game: str, seed: int) -> None:
        self.address, self.game, self.iterations = address, game, chosen.iterations
        self.pause, self.left = chosen.pause, chosen.clicks
        self.random = random.Random(seed)
        self.first = bool(seed % 2)
        self.clicks: list[float] = []
        self.replies: list[float] = []
        self.served = False
        self.bytes = 0

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
            begun = time.perf_counter()
            answer = await client.post("/api/position", json={"game": self.game, "actions": actions})
            position = answer.raise_for_status().json()
            if actions:
                self.clicks.append(time.perf_counter() - begun)
            if position["outcome"] is not None or self.left == 0:
                self.served = True
                return
            if position["first"] == self.first:
                self.left -= 1
                await asyncio.sleep(self.random.uniform(0, 2 * self.pause))
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
                self.replies.append(time.perf_counter() - begun)
                return int(message["move"]["action"])


def start(pages: int) -> tuple[Popen[str], str, float]:
    """A server, its address, and the seconds until its page was answered."""
    begun = time.perf_counter()
    command = [str(PROGRAM), "serve", "--port", "0", "--no-browser", "--sessions", str(max(64, pages))]
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


async def load(address: str, chosen: argparse.Namespace, game: str) -> list[Page]:
    """All the pages at once."""
    made = [Page(address, chosen, game, seed) for seed in range(chosen.pages)]
    await asyncio.gather(*(page.play() for page in made))
    return made


def at(values: list[float], share: float) -> float:
    """The value that so large a share is below."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def measure(chosen: argparse.Namespace, game: str) -> dict[str, Any]:
    """The figures of one server with so many pages."""
    server, address, seconds = start(chosen.pages)
    try:
        before = memory(server.pid, "VmRSS")
        begun = time.perf_counter()
        played = asyncio.run(load(address, chosen, game))
        taken = time.perf_counter() - begun
        clicks = [click for page in played for click in page.clicks]
        replies = [reply for page in played for reply in page.replies]
        return {
            "game": game,
            "pages": chosen.pages,
            "served": sum(page.served for page in played),
            "start_seconds": seconds,
            "page_bytes": played[0].bytes,
            "seconds": taken,
            "clicks": len(clicks),
            "click_median_seconds": at(clicks, 0.5),
            "click_p95_seconds": at(clicks, 0.95),
            "reply_median_seconds": at(replies, 0.5),
            "reply_p95_seconds": at(replies, 0.95),
            "reply_slowest_seconds": at(replies, 1.0),
            "memory_before": before,
            "memory_peak": memory(server.pid, "VmHWM"),
        }
    finally:
        server.terminate()
        server.wait()


# Whether memory grows


def request(path: str, body: Any = None, **headers: str) -> bytes:
    """The bytes of a request."""
    content = b"" if body is None else json.dumps(body).encode()
    named = {"host": "localhost", "content-type": "application/json", "content-length": str(len(content))}
    lines = [f"{'GET' if body is None else 'POST'} {path} HTTP/1.1"]
    lines += [f"{key}: {value}" for key, value in (named | headers).items()]
    return "\r\n".join([*lines, "", ""]).encode() + content


def some_request(rng: random.Random) -> bytes:
    """What a page may ask, and what it should not: every one another."""
    game = f"hex:size={rng.randint(3, 13)}"
    moves = rng.sample(range(9), rng.randint(0, 9))
    return rng.choice(
        [
            request("/api/position", {"game": game, "actions": moves}),
            request("/api/position", {"game": "connect_four", "actions": [m % 7 for m in moves]}),
            request(
                "/api/record", {"text": " ".join(f"{'abc'[m % 3]}{m // 3 + 1}" for m in moves), "game": game}
            ),
            request("/api/record", {"text": "{" * rng.randint(0, 3000), "game": game}),
            request(f"/api/game?text={game}"),
            request(f"/nothing/{rng.random()}"),
            request("/static/app.js"),
            request("/api/games", origin=f"http://site{rng.random()}.example"),
        ]
    )


async def hammer(port: int, count: int, deadline: float, seed: int, done: list[int]) -> None:
    """Send requests one after the other, on connections that are renewed now and then, and let it think."""
    rng = random.Random(seed)
    while count > 0 and time.monotonic() < deadline:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(min(count, rng.randint(1, 500))):
            writer.write(some_request(rng))
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = re.search(rb"content-length: (\d+)", head)
            assert length is not None, head
            await reader.readexactly(int(length[1]))
            done[0] += 1
            count -= 1
            if time.monotonic() > deadline:
                break
        writer.close()
        async with connect(f"ws://localhost:{port}/api/think") as thinking:
            question = {"type": "think", "id": 1, "game": f"hex:size={rng.randint(3, 13)}", "player": "mcts"}
            await thinking.send(json.dumps(question | {"iterations": 100}))
            await thinking.recv()


async def grow(port: int, process: int, count: int, seconds: float) -> list[tuple[int, int]]:
    """The memory of the server after so many requests, again and again."""
    deadline, done = time.monotonic() + seconds, [0]
    tasks = [asyncio.create_task(hammer(port, count // 8, deadline, seed, done)) for seed in range(8)]
    rows: list[tuple[int, int]] = []
    while not all(task.done() for task in tasks):
        if done[0] >= len(rows) * count // 10:
            rows.append((done[0], memory(process, "VmRSS")))
        await asyncio.sleep(0.05)
    await asyncio.gather(*tasks)
    return [*rows, (done[0], memory(process, "VmRSS"))]


def measure_memory(count: int, seconds: float) -> dict[str, Any]:
    """The figures of one server with so many requests."""
    server, address, _ = start(1)
    try:
        begun = time.perf_counter()
        rows = asyncio.run(grow(int(address.rstrip("/").rpartition(":")[2]), server.pid, count, seconds))
        taken = time.perf_counter() - begun
    finally:
        server.terminate()
        server.wait()
    settled = next(used for asked, used in rows if asked >= rows[-1][0] // 5)
    return {"requests": rows[-1][0], "seconds": taken, "memory": rows, "growth": rows[-1][1] - settled}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--game", action="append", help="connect_four and hex:size=7 by default")
    parser.add_argument("--pause", type=float, default=0.0, help="seconds before a click, on average")
    parser.add_argument("--clicks", type=int, default=-1, help="of a page at most; a whole match by default")
    parser.add_argument("--requests", type=int, help="send so many requests and see whether memory grows")
    parser.add_argument("--seconds", type=float, default=600.0, help="for which requests are sent at most")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    if chosen.requests:
        print_memory(measure_memory(chosen.requests, chosen.seconds), chosen.json)
        return
    rows = [measure(chosen, game) for game in chosen.game or ["connect_four", "hex:size=7"]]
    if chosen.json:
        print(json.dumps(rows, indent=2))
        return
    pause = f", {chosen.pause:g} s before a click" if chosen.pause else ""
    table = Table(title=f"{chosen.pages} pages at once against mcts:iterations={chosen.iterations}{pause}")
    for column in COLUMNS:
        table.add_column(column, justify="left" if column == "game" else "right")
    for row in rows:
        times = ("click_median", "click_p95", "reply_median", "reply_p95", "reply_slowest")
        table.add_row(
            row["game"],
            f"{row['served']}/{row['pages']}",
            f"{row['start_seconds']:.2f} s",
            f"{row['page_bytes'] / 1000:.0f} kB",
            f"{row['seconds']:.1f} s",
            str(row["clicks"]),
            *(f"{row[f'{name}_seconds'] * 1000:.0f} ms" for name in times),
            f"{row['memory_before'] >> 20} to {row['memory_peak'] >> 20} MB",
        )
    Console(width=140).print(table)


def print_memory(row: dict[str, Any], as_json: bool) -> None:
    """The memory of a server as it is asked."""
    if as_json:
        print(json.dumps(row, indent=2))
        return
    table = Table(title=f"Memory of the server over {row['requests']} requests in {row['seconds']:.0f} s")
    for column in ("requests", "memory"):
        table.add_column(column, justify="right")
    for asked, used in row["memory"]:
        table.add_row(str(asked), f"{used / 2**20:.1f} MB")
    Console(width=120).print(table)
    print(f"Growth after the first fifth: {row['growth'] / 2**20:.1f} MB")


if __name__ == "__main__":
    main()
