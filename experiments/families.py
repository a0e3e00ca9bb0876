"""Trains families of value functions for the same time, and lets them play.

``python experiments/families.py GAME@MINUTES ... --families ntuple patterns --out FILE``: each game is
trained from scratch by its laptop preset, once with each family, ``--at-once`` trainings at a time on a core
each. Then all play as ``ubfms`` against each other, and each against ``--opponent``. Both colours, openings
of two random plies. With ``--curve`` the strength against ``mcts:iterations=1000`` is measured on the way.
One JSON line a game, with the number of matches of each training; ``docs/images/make_families.py`` draws the
curves.
"""

from __future__ import annotations

import argparse
import itertools
import json
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from floors import glaux

FAMILIES = {
    "ntuple": ["--preset", "ntuple"],
    "patterns": ["--preset", "patterns"],
    "network": ["--set", "value.family=network", "--set", "value.architecture=small"],
}
"""what glaux train is told"""


def train(game: str, minutes: float, family: list[str], run: Path, *, curve: bool) -> dict[str, Any]:
    """Train; how many matches were learned from, and the curve of strength as (seconds, score)."""
    every = minutes * 60 / 8 if curve else 0
    texts = ("workers=1", f"strength.every={every:g}", "strength.games=20")
    changes = [part for text in texts for part in ("--set", text)]
    glaux("train", game, "--minutes", f"{minutes:g}", "--run", str(run), *family, *changes)
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    return {
        "matches": max((row["match"] for row in rows), default=0),
        "curve": [(row["elapsed"], row["score"]) for row in rows if row["kind"] == "strength"],
    }


def match(game: str, first: str, second: str, games: int, sprt: str | None) -> dict[str, Any]:
    """What the first PLAYER scores."""
    options = ["--games", str(games), "--opening", "2", "--seed", "1", "--json"]
    options += [f"--sprt={sprt}"] if sprt else []
    result = json.loads(glaux("match", game, first, second, *options))
    return {key: result[key] for key in ("players", "score", "low", "high", "games", "by_colour")}


def measure(game: str, minutes: float, folder: Path, chosen: argparse.Namespace) -> dict[str, Any]:
    """All families on one game."""
    stem = game.replace(":", "-").replace(",", "-")
    runs = {family: folder / f"{stem}-{family}" for family in chosen.families}
    with ThreadPoolExecutor(chosen.at_once) as pool:
        futures = {
            family: pool.submit(train, game, minutes, FAMILIES[family], run, curve=chosen.curve)
            for family, run in runs.items()
        }
        trainings = {family: future.result() for family, future in futures.items()}
    players = {family: f"ubfms:value={run},seconds={chosen.seconds:g}" for family, run in runs.items()}
    pairs = list(itertools.combinations(players.values(), 2))
    if chosen.opponent != "none":
        pairs += [(player, chosen.opponent) for player in players.values()]
    matches = [match(game, *pair, chosen.count, chosen.sprt) for pair in pairs]
    return {"game": game, "minutes": minutes, "trainings": trainings, "matches": matches}


def main() -> None:
    """Measure the games that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+", help="GAME@MINUTES")
    parser.add_argument("--out", type=Path, required=True, help="where the JSON lines go")
    parser.add_argument("--runs", type=Path, help="where the runs go; a temporary folder by default")
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--at-once", type=int, default=1, help="trainings at a time, on a core each")
    parser.add_argument("--curve", action="store_true", help="measure the strength on the way")
    parser.add_argument("--count", type=int, default=100, help="games of each match")
    parser.add_argument("--sprt", help="stop a match when it is decided, as --sprt of glaux match")
    parser.add_argument("--seconds", type=float, default=0.2, help="for a move")
    parser.add_argument(
        "--opponent", default="mcts:iterations=10000", help="whom all play as well; none: nobody"
    )
    chosen = parser.parse_args()
    folder = chosen.runs or Path(tempfile.mkdtemp())
    for text in chosen.games:
        game, _, minutes = text.partition("@")
        row = measure(game, float(minutes or 3), folder, chosen)
        with chosen.out.open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(
            game,
            *(f"{m['score']:.1%} ({m['low']:.1%} to {m['high']:.1%})" for m in row["matches"]),
            flush=True,
        )


if __name__ == "__main__":
    main()
