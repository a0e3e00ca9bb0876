"""Trains games by a preset and plays the results against MCTS: the table of docs/learning.md.

``python experiments/floors.py [GAME[@MINUTES] ...] [--preset P] --out FILE``: each game is trained from
scratch, then plays 100 games, both colours, openings of two random plies, by the search that the run plays
with (mostly ``ubfms``) and 0.2 seconds a move against ``mcts:iterations=10000``. One JSON line a game, with
the commands to repeat it.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

MINUTES = {
    "connect_four": 5,
    "othello": 20,
    "hex:size=7": 10,
    "hex:size=9": 30,
    "breakthrough": 20,
    "clobber:rows=8,columns=8": 15,
    "amazons:size=6": 15,
    "lines_of_action": 20,
    "santorini": 20,
    "surakarta": 20,
    "outer_open_gomoku": 30,
    "go:size=9": 60,
    "havannah": 60,
    "connect6": 60,
    "xiangqi": 60,
    "arimaa": 60,
    "ataxx": 30,
    "shobu": 30,
    "quoridor": 30,
    "international_draughts": 30,
    "brazilian_draughts": 30,
    "canadian_draughts": 30,
}
GLAUX = [str(Path(sys.executable).with_name("glaux"))]


def glaux(*arguments: str) -> str:
    """What the command prints; its progress and its complaints go to the terminal."""
    done = subprocess.run([*GLAUX, *arguments], check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(done.returncode)
    return done.stdout


def measure(
    game: str, minutes: float, games: int, preset: str, settings: list[str], folder: Path, workers: list[str]
) -> dict[str, object]:
    """Train a game and play it."""
    run = folder / game.replace(":", "-").replace(",", "-")
    changes = [part for text in settings for part in ("--set", text)]
    train = [
        "train",
        game,
        "--preset",
        preset,
        "--minutes",
        f"{minutes:g}",
        "--run",
        str(run),
        "--set",
        "strength.every=0",
        *changes,
    ]
    glaux(*train)
    player, opponent = f"{run},seconds=0.2", "mcts:iterations=10000"
    match = [
        "match",
        game,
        player,
        opponent,
        "--games",
        str(games),
        "--opening",
        "2",
        "--seed",
        "1",
        "--json",
        *workers,
    ]
    result = json.loads(glaux(*match))
    last = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()][-1]
    return {
        "game": game,
        "minutes": minutes,
        "matches": last["match"],
        "score": result["score"],
        "low": result["low"],
        "high": result["high"],
        "games": result["games"],
        "by_colour": result["by_colour"],
        "commands": [shlex.join(["glaux", *train]), shlex.join(["glaux", *match])],
    }


def main() -> None:
    """Measure the games that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="GAME, or GAME@MINUTES; all by default")
    parser.add_argument("--out", type=Path, required=True, help="where the JSON lines go")
    parser.add_argument("--runs", type=Path, help="where the runs go; a temporary folder by default")
    parser.add_argument("--count", type=int, default=100, help="games of each match")
    parser.add_argument("--preset", default="laptop")
    parser.add_argument("--set", action="append", default=[], dest="settings", help="as for glaux train")
    parser.add_argument("--workers", type=int, help="games played in parallel; by default one per core")
    chosen = parser.parse_args()
    workers = ["--workers", str(chosen.workers)] if chosen.workers else []
    folder = chosen.runs or Path(tempfile.mkdtemp())
    for text in chosen.games or MINUTES:
        game, _, minutes = text.partition("@")
        row = measure(
            game,
            float(minutes or MINUTES[game]),
            chosen.count,
            chosen.preset,
            chosen.settings,
            folder,
            workers,
        )
        with chosen.out.open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(f"{game}: {row['score']:.1%} ({row['low']:.1%} to {row['high']:.1%})", flush=True)


if __name__ == "__main__":
    main()
