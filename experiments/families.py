"""Trains both families of value functions for the same time, and lets them play.

``python experiments/families.py GAME@MINUTES ... --out FILE``: each game is trained twice from scratch by its
laptop preset, with the n-tuple network of the preset and with the neural network ``small``, at the same
time and on a core each; the strength against ``mcts:iterations=1000`` is measured on the way, for the curves.
Then both play as ``ubfms`` with 0.2 seconds a move: against each other, and each against
``mcts:iterations=10000``. Both colours, openings of two random plies. One JSON line a game;
``docs/images/make_families.py`` draws them.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from floors import glaux

FAMILIES = {"ntuple": [], "network": ["value.family=network", "value.architecture=small"]}
MCTS = "mcts:iterations=10000"


def train(game: str, minutes: float, settings: list[str], run: Path) -> list[tuple[float, float]]:
    """Train; the curve of strength as (seconds, score)."""
    every = f"strength.every={minutes * 60 / 8:g}"
    texts = ("workers=1", every, "strength.games=20", *settings)
    changes = [part for text in texts for part in ("--set", text)]
    glaux("train", game, "--minutes", f"{minutes:g}", "--run", str(run), *changes)
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    return [(row["elapsed"], row["score"]) for row in rows if row["kind"] == "strength"]


def match(game: str, first: str, second: str, games: int) -> dict[str, object]:
    """What the first PLAYER scores."""
    options = ("--games", str(games), "--opening", "2", "--seed", "1", "--json")
    result = json.loads(glaux("match", game, first, second, *options))
    return {key: result[key] for key in ("players", "score", "low", "high", "games", "by_colour")}


def measure(game: str, minutes: float, games: int, folder: Path) -> dict[str, object]:
    """Both families on one game."""
    runs = {family: folder / f"{game.replace(':', '-').replace(',', '-')}-{family}" for family in FAMILIES}
    with ThreadPoolExecutor(len(runs)) as pool:
        trainings = {
            family: pool.submit(train, game, minutes, settings, runs[family])
            for family, settings in FAMILIES.items()
        }
        curves = {family: training.result() for family, training in trainings.items()}
    players = {family: f"ubfms:value={run},seconds=0.2" for family, run in runs.items()}
    matches = [match(game, players["ntuple"], players["network"], games)]
    matches += [match(game, player, MCTS, games) for player in players.values()]
    return {"game": game, "minutes": minutes, "curves": curves, "matches": matches}


def main() -> None:
    """Measure the games that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+", help="GAME@MINUTES")
    parser.add_argument("--out", type=Path, required=True, help="where the JSON lines go")
    parser.add_argument("--runs", type=Path, help="where the runs go; a temporary folder by default")
    parser.add_argument("--count", type=int, default=100, help="games of each match")
    chosen = parser.parse_args()
    folder = chosen.runs or Path(tempfile.mkdtemp())
    for text in chosen.games:
        game, _, minutes = text.partition("@")
        row = measure(game, float(minutes or 3), chosen.count, folder)
        with chosen.out.open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(
            game,
            *(f"{m['score']:.1%} ({m['low']:.1%} to {m['high']:.1%})" for m in row["matches"]),
            flush=True,
        )


if __name__ == "__main__":
    main()
