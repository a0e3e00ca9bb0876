"""Plays a small tournament in a directory, to be killed: ``python -m tests.arena.killed DIR WORKERS``.

After each match it waits for a line, so that it never comes to its end before it is killed.
"""

import signal
import sys
from pathlib import Path

import glaux
from glaux.arena.tournament import Tournament, TournamentDirectory

TOURNAMENT = Tournament(
    glaux.make("connect_four:rows=5,columns=5"),
    ("random", "mcts:iterations=200", "mcts:iterations=1500"),
    games=24,
    book=2,
    seed=4,
)


def main(path: Path, workers: int) -> None:
    directory = TournamentDirectory.open(path, TOURNAMENT)
    with directory.locked():
        for _ in directory.play(directory.matches(), workers):
            print("match", flush=True)
            sys.stdin.readline()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        main(Path(sys.argv[1]), int(sys.argv[2]))
    except KeyboardInterrupt:
        sys.exit(130)
