"""Two ways to learn and two ways to play, all four together: the bridge between the papers.

``python experiments/bridge.py GAME@MINUTES ... --out FOLDER``: an n-tuple network is trained from scratch for
MINUTES on two cores by Athénan (the laptop preset) and one by temporal differences (``tcl``). Each plays
as UBFM with safe decision and by the MCTS wrapper, with the same time for a move. The four meet

- in a round robin with ratings (``glaux tournament``), after all the training;
- ``mcts:iterations=2000``, after 1/8, 1/4, 1/2 and all of the training: the curves.

Both colours, openings of two random plies. FOLDER gets the runs, the tournament and a JSON line for each
game in ``bridge.jsonl``; ``docs/images/make_bridge.py`` draws it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from floors import glaux

LEARNERS = {"Descent": ["--preset", "laptop"], "TD": ["--preset", "tcl"]}
SEARCHES = {"UBFM": "ubfms:value={},seconds={:g}", "wrapper": "wrap:value={},seconds={:g}"}
SHARES = (0.125, 0.25, 0.5, 1.0)
OPPONENT = "mcts:iterations=2000"


def train(game: str, minutes: float, options: list[str], run: Path) -> None:
    """Train, and stop at each share of the time to keep what has been learned by then.

    The schedules of a training go by its whole length, so a shorter one is a training of its own.
    """
    changes = ["--set", "strength.every=0"]
    for share in SHARES:
        part = run / f"{share:g}"
        glaux("train", game, *options, "--minutes", f"{minutes * share:g}", "--run", str(part), *changes)


def measure(game: str, minutes: float, seconds: float, games: int, folder: Path) -> dict[str, object]:
    """The four on one game."""
    players: dict[str, dict[float, str]] = {}
    for learner, options in LEARNERS.items():
        run = folder / f"{game.replace(':', '-').replace(',', '-')}-{learner}"
        train(game, minutes, options, run)
        for search, text in SEARCHES.items():
            players[f"{learner}, {search}"] = {
                share: text.format(run / f"{share:g}", seconds) for share in SHARES
            }
    options = ("--games", str(games), "--seed", "1", "--json")
    curves = {
        name: [
            (
                minutes * share,
                *against(json.loads(glaux("match", game, text, OPPONENT, "--opening", "2", *options))),
            )
            for share, text in texts.items()
        ]
        for name, texts in players.items()
    }
    out = folder / f"{game.replace(':', '-').replace(',', '-')}-tournament"
    finals = [texts[1.0] for texts in players.values()]
    ratings = json.loads(glaux("tournament", game, *finals, *options, "--out", str(out)))
    return {
        "game": game,
        "minutes": minutes,
        "seconds": seconds,
        "games": games,
        "names": dict(zip(finals, players, strict=True)),
        "curves": curves,
        "tournament": ratings,
    }


def against(result: dict[str, float]) -> tuple[float, float, float]:
    """The score and its interval."""
    return result["score"], result["low"], result["high"]


def main() -> None:
    """Measure the games that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+", help="GAME@MINUTES")
    parser.add_argument("--out", type=Path, required=True, help="the folder for everything")
    parser.add_argument("--seconds", type=float, default=0.05, help="for a move")
    parser.add_argument("--count", type=int, default=100, help="games of each match")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    for text in chosen.games:
        game, _, minutes = text.partition("@")
        row = measure(game, float(minutes or 4), chosen.seconds, chosen.count, chosen.out)
        with (chosen.out / "bridge.jsonl").open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(game, "done", flush=True)


if __name__ == "__main__":
    main()
