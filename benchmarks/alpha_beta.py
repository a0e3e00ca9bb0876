"""Alpha-beta, plain and as it plays: what a depth costs, and how soon endgames of Othello are proven.

    python benchmarks/alpha_beta.py depth runs/othello 6
    python benchmarks/alpha_beta.py endgame 14 16 18

Seconds are the processor's, so that other work counts little. Positions are those of random matches.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

import glaux
from glaux.search.registry import make_search

KINDS = {"plain": {"plain": True}, "without reductions": {"reductions": False}, "as it plays": {}}
PROVERS = {"descent": "descent", "plain": "alphabeta", "as it plays": "alphabeta"}


def middle_positions(game: glaux.Game, count: int, seed: int = 7) -> list[glaux.State]:
    """States from 15% to 70% of random matches."""
    rng, found = random.Random(seed), list[glaux.State]()
    while len(found) < count:
        line = [game.initial()]
        while not game.terminal(line[-1]):
            line.append(game.apply(line[-1], rng.choice(game.actions(line[-1]))))
        place = int(len(line) * (0.15 + 0.55 * len(found) / count))
        if place < len(line) - 1:
            found.append(line[place])
    return found


def late_positions(game: glaux.Game, empty: int, count: int, seed: int = 11) -> list[glaux.State]:
    """States of random matches with so many empty cells and a choice."""
    rng, found = random.Random(seed), list[glaux.State]()
    while len(found) < count:
        s = game.initial()
        while not game.terminal(s):
            if str(s).count(".") == empty and len(game.actions(s)) > 1:
                found.append(s)
                break
            s = game.apply(s, rng.choice(game.actions(s)))
    return found


def depth_table(run: Path, depth: int, count: int) -> None:
    """What a depth costs with the value of a run."""
    value = glaux.load(run)
    print(f"{value.game.text}, depth {depth}, {count} positions\n")
    print("| search | evaluations | expansions | seconds |\n|---|---|---|---|")
    for name, options in KINDS.items():
        evaluations = expansions = 0
        begun = time.process_time()
        for s in middle_positions(value.game, count):
            tree = make_search("alphabeta", value.game, value, {**options, "depth": depth}).run(s)
            evaluations += tree.statistics.evaluations
            expansions += tree.statistics.expansions
        print(f"| {name} | {evaluations:,} | {expansions:,} | {time.process_time() - begun:.2f} |")


def endgame_table(empties: list[int], seconds: float, count: int) -> None:
    """How soon the result is proven without a value function."""
    game = glaux.make("othello")
    print("| search | empty cells | proven | mean seconds | most |\n|---|---|---|---|---|")
    for name, search in PROVERS.items():
        for empty in empties:
            taken, proven = [], 0
            for s in late_positions(game, empty, count):
                begun = time.process_time()
                tree = make_search(search, game, None, KINDS.get(name)).run(s, seconds=seconds)
                taken.append(time.process_time() - begun)
                proven += tree.resolved
            mean = sum(taken) / count
            print(f"| {name} | {empty} | {proven} of {count} | {mean:.3f} | {max(taken):.3f} |", flush=True)


def main() -> None:
    """Read the command line and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    depth = kinds.add_parser("depth")
    depth.add_argument("run", type=Path)
    depth.add_argument("depth", type=int)
    endgame = kinds.add_parser("endgame")
    endgame.add_argument("empties", type=int, nargs="+")
    endgame.add_argument("--seconds", type=float, default=15)
    for each, count in ((depth, 8), (endgame, 6)):
        each.add_argument("--positions", type=int, default=count)
    chosen = parser.parse_args()
    if chosen.kind == "depth":
        depth_table(chosen.run, chosen.depth, chosen.positions)
    else:
        endgame_table(chosen.empties, chosen.seconds, chosen.positions)


if __name__ == "__main__":
    main()
