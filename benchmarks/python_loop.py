"""Native code against native code, and the same Python loop on both: Glaux and OpenSpiel.

``python benchmarks/python_loop.py [GAME ...]`` prints a row a game as soon as it is measured, in Markdown.
"""

import os
import sys

from glaux.bench.loops import LoopSpeed, measure_all

HEAD = (
    "| game | playouts/s | OpenSpiel's C++ | ratio | MCTS simulations/s | OpenSpiel's C++ bot | ratio "
    "| Python loop, matches/s | OpenSpiel's | ratio |"
)


def row(speed: LoopSpeed) -> str:
    """The figures of a game as a row."""
    pairs = (
        (speed.playouts, speed.open_spiel_playouts),
        (speed.simulations, speed.open_spiel_simulations),
        (speed.python, speed.open_spiel_python),
    )
    cells = [f"{ours:,.0f} | {theirs:,.0f} | {ours / theirs:.1f}" for ours, theirs in pairs]
    return f"| {speed.game} | {' | '.join(cells)} |"


if __name__ == "__main__":
    print(HEAD, "|---" + "|---:" * 9 + "|", sep="\n")
    for speed in measure_all(sys.argv[1:] or None):
        print(row(speed), flush=True)
    print(f"\nLoad of the machine: {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores.")
