"""The ladder of frozen agents: whom a new agent of a game has to beat.

    python experiments/ladder.py                      all rungs, and what was played on them
    python experiments/ladder.py play GAME RUN        a candidate against each rung, from the top down
    python experiments/ladder.py freeze GAME          keep the agent that ships, before another replaces it

A rung is an agent that once shipped, as the zoo had it (docs/zoo.md), in ``experiments/ladder/GAME/NUMBER``;
the top is the one that ships now. Candidates are compared with agents and not with MCTS, which all of them
beat. A match is a sequential test at equal time (``glaux match --sprt``), and ends when it is clear who is
stronger; ``GAME/matches.jsonl`` keeps the results.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
from pathlib import Path

from floors import glaux
from rich.console import Console
from rich.table import Table

from glaux.errors import UnknownName
from glaux.values.zoo import CARD, agent_folder, agents

LADDER = Path(__file__).with_name("ladder")
MATCHES = "matches.jsonl"


def rungs(game: str) -> list[Path]:
    """The frozen agents of a game, the newest first."""
    return sorted((card.parent for card in LADDER.glob(f"{game}/*/{CARD}")), key=lambda rung: -int(rung.name))


def freeze(game: str) -> Path:
    """Keep the agent that ships as the next rung."""
    agent, kept = agent_folder(game), rungs(game)
    if kept and (kept[0] / CARD).read_bytes() == (agent / CARD).read_bytes():
        raise SystemExit(f"The agent of {game} is kept already: {os.path.relpath(kept[0])}.")
    place = LADDER / game / str(len(kept) + 1)
    shutil.copytree(agent, place)
    return place


def play(game: str, candidate: str, seconds: float, games: int, opening: int) -> None:
    """The candidate against the agent that ships, then against each rung below."""
    names = (["zoo"] if game in agents() else []) + [os.path.relpath(rung) for rung in rungs(game)]
    if not names:
        raise SystemExit(f"There is no agent of {game} to play against: 'glaux zoo add' makes the first.")
    for name in names:
        limit = f"{':' if name == 'zoo' else ','}seconds={seconds:g}"
        options = ["--games", str(games), "--opening", str(opening), "--sprt=-50,50", "--json"]
        result = json.loads(glaux("match", game, f"{candidate},seconds={seconds:g}", name + limit, *options))
        against = name if name != "zoo" else f"the agent of {_made(agent_folder(game))}"
        row = {"candidate": candidate, "against": against, "seconds": seconds}
        row |= {key: result[key] for key in ("games", "wins", "draws", "losses", "score", "low", "high")}
        (LADDER / game).mkdir(parents=True, exist_ok=True)
        with (LADDER / game / MATCHES).open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(
            f"{against}: {row['score']:.1%} ({row['low']:.1%} to {row['high']:.1%}) of {row['games']} games"
        )


def show() -> None:
    """The rungs of all games, and their matches."""
    table = Table("game", "rung", "made", "minutes", "matches of training", box=None)
    for game in sorted({path.name for path in LADDER.iterdir() if path.is_dir()} | set(agents())):
        top = [agent_folder(game)] if game in agents() else []
        for rung in top + rungs(game):
            card = json.loads((rung / CARD).read_text())
            name = "ships" if rung in top else rung.name
            table.add_row(game, name, card["made"], f"{card['minutes']:g}", f"{card['matches']:,}")
    Console().print(table)
    for file in sorted(LADDER.glob(f"*/{MATCHES}")):
        for row in map(json.loads, file.read_text().splitlines()):
            print(
                f"{file.parent.name}: {row['candidate']} against {row['against']} at {row['seconds']:g} s a "
                f"move: {row['score']:.1%} ({row['low']:.1%} to {row['high']:.1%}) of {row['games']} games"
            )


def _made(folder: Path) -> str:
    return str(json.loads((folder / CARD).read_text())["made"])


def main() -> None:
    """Do what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command")
    playing = commands.add_parser("play", help="a candidate against each rung")
    playing.add_argument("game")
    playing.add_argument("candidate", help="the directory of a run or of a value function")
    playing.add_argument("--seconds", type=float, default=0.1, help="for a move")
    playing.add_argument("--games", type=int, default=200, help="of a match, at most")
    playing.add_argument("--opening", type=int, default=4, help="random actions at the start of a game")
    commands.add_parser("freeze", help="keep the agent that ships").add_argument("game")
    chosen = parser.parse_args()
    if chosen.command == "play":
        play(chosen.game, chosen.candidate, chosen.seconds, chosen.games, chosen.opening)
    elif chosen.command == "freeze":
        try:
            print(freeze(chosen.game))
        except UnknownName as error:
            raise SystemExit(str(error)) from None
    else:
        show()


if __name__ == "__main__":
    main()
