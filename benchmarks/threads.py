"""What a second thread brings to a search: ``python benchmarks/threads.py``.

In turns: one thread; two searches of one thread at the same time, which is all that two cores can give; two
threads at one tree. By the clock, the median of several slices: the machine should have two free cores, and
the last column says how many the two threads had.
"""

import time
from statistics import median
from threading import Thread
from typing import Any

from rich.table import Table

import glaux
from glaux import _core
from glaux.bench.values import VALUES
from glaux.cli.output import make_console
from glaux.search.registry import make_search
from glaux.search.search import Search

SECONDS, SLICES = 0.5, 5
GAMES = ("othello", "breakthrough", "hex")
PAIRS = (
    ("ubfm", "ntuple-100"),
    ("ubfm", "patterns"),
    ("ubfm", "playouts"),
    ("mcts", "playouts"),
    ("wrap", "ntuple-100"),
)


def speed(searches: list[Search]) -> tuple[float, float]:
    """Evaluations a second of searches that run at the same time, and the cores that they had."""
    found: list[Any] = []
    state = searches[0].game.initial()
    threads = [Thread(target=lambda s=s: found.append(s.run(state, seconds=SECONDS))) for s in searches]
    wall, cpu = time.perf_counter(), time.process_time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    taken = time.perf_counter() - wall
    return sum(tree.statistics.evaluations for tree in found) / taken, (time.process_time() - cpu) / taken


def row(game: glaux.Game, name: str, value: str) -> list[str]:
    """One row of the table."""
    learned = None if value == "playouts" else VALUES[value](game)

    def made(threads: int) -> Search:
        return make_search(name, game, learned or _core.PlayoutValue(1, 0), {"threads": threads})

    turns = [[speed([made(1)]), speed([made(1), made(1)]), speed([made(2)])] for _ in range(SLICES)]
    one, beside, two = (median(turn[i][0] for turn in turns) for i in range(3))
    cores = median(turn[2][1] for turn in turns)
    figures = (f"{one:,.0f}", f"{beside:,.0f}", f"{two:,.0f}", f"{two / one:.2f}", f"{two / beside:.2f}")
    return [game.name, name, value, *figures, f"{cores:.2f}"]


if __name__ == "__main__":
    table = Table("game", "search", "value", box=None)
    for title in ("1 thread", "two searches", "2 threads", "of 1 thread", "of two searches", "cores"):
        table.add_column(title, justify="right")
    for text in GAMES:
        for pair in PAIRS:
            table.add_row(*row(glaux.make(text), *pair))
    make_console().print(table)
