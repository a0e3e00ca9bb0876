"""Two ways to learn and two ways to play, all four together: the bridge between the papers.

``python experiments/bridge.py GAME@MINUTES ... --out FOLDER``: an n-tuple network is trained from scratch for
MINUTES on two cores by Athénan (the laptop preset) and one by temporal differences (``tcl``). Each plays
as UBFM with safe decision and by the MCTS wrapper, with the same time for a move. They meet

- ``mcts:iterations=10000``, after trainings of 1/8, 1/4, 1/2 and all of the time: the curves;
- each other in a round robin with ratings (``glaux tournament``), after trainings of all the time. A fifth
  has learned half of the time by temporal differences and then by Athénan, which began with that network.

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
OPPONENT = "mcts:iterations=10000"


def train(game: str, minutes: float, options: list[str], run: Path) -> None:
    """A training of its own for each length: schedules go by how long a training is to last."""
    glaux(
        "train", game, *options, "--minutes", f"{minutes:g}", "--run", str(run), "--set", "strength.every=0"
    )


def measure(game: str, minutes: float, seconds: float, games: int, folder: Path) -> dict[str, object]:
    """All of them on one game."""
    name = game.replace(":", "-").replace(",", "-")
    players: dict[str, dict[float, str]] = {}
    for learner, options in LEARNERS.items():
        runs = {share: folder / f"{name}-{learner}-{share:g}" for share in SHARES}
        for share, run in runs.items():
            train(game, minutes * share, options, run)
        for search, text in SEARCHES.items():
            players[f"{learner}, {search}"] = {
                share: text.format(run, seconds) for share, run in runs.items()
            }
    common = ("--games", str(games), "--opening", "2", "--seed", "1", "--json")
    curves = {
        player: [
            (minutes * share, *against(json.loads(glaux("match", game, text, OPPONENT, *common))))
            for share, text in texts.items()
        ]
        for player, texts in players.items()
    }
    warm = folder / f"{name}-warm"
    start = (f"start_from={folder / f'{name}-TD-0.5'}", "heuristic=classic", "warm_start=0")
    changes = [part for text in start for part in ("--set", text)]
    train(game, minutes / 2, [*LEARNERS["Descent"], *changes], warm)
    finals = {texts[1.0]: player for player, texts in players.items()}
    finals[SEARCHES["UBFM"].format(warm, seconds)] = "TD, then Descent, UBFM"
    ratings = json.loads(
        glaux("tournament", game, *finals, *common, "--out", str(folder / f"{name}-tournament"))
    )
    return {
        "game": game,
        "minutes": minutes,
        "seconds": seconds,
        "games": games,
        "names": finals,
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
    parser.add_argument("--seconds", type=float, default=0.02, help="for a move")
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
