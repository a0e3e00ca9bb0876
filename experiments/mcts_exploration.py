"""Which exploration constant c suits UCT with random playouts: every pair plays, with both colours.

    python experiments/mcts_exploration.py [--games 100] [--iterations 1000] [--c 0.5 0.7 1.0 1.4] [GAME ...]

Prints the score of each c against all the others (win 1, draw 1/2) with its 95% interval.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random

import glaux


def play(game: glaux.Game, players: list[glaux.MCTS], opening: random.Random, iterations: int) -> int:
    """The outcome for the first player of a match that starts with two random actions."""
    for player in players:
        player.clear()
    state = game.initial()
    for _ in range(2):
        state = game.apply(state, opening.choice(game.actions(state)))
    while (outcome := game.outcome(state)) is None:
        player = players[0 if game.first_player(state) else 1]
        state = game.apply(state, player.run(state, iterations=iterations).action)
    return outcome


def compare(text: str, constants: list[float], games: int, iterations: int) -> dict[float, tuple[float, int]]:
    """For each constant its points and number of matches."""
    game = glaux.make(text)
    totals = dict.fromkeys(constants, (0.0, 0))
    for pair in itertools.combinations(constants, 2):
        players = [glaux.MCTS(game, c=c, seed=i + 1) for i, c in enumerate(pair)]
        for number in range(games):
            swapped = number % 2
            seats = players[::-1] if swapped else players
            # The same opening once with each colour.
            outcome = play(game, seats, random.Random(number // 2), iterations)
            points = (1 + (-outcome if swapped else outcome)) / 2
            for c, gained in zip(pair, (points, 1 - points), strict=True):
                totals[c] = totals[c][0] + gained, totals[c][1] + 1
    return totals


def main() -> None:
    """Read the arguments, play, and print a line for each game and constant."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games_to_play", nargs="*", default=["othello:size=6", "connect_four", "hex:size=7"])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--c", type=float, nargs="+", default=[0.5, 0.7, 1.0, 1.4])
    arguments = parser.parse_args()
    for text in arguments.games_to_play:
        totals = compare(text, arguments.c, arguments.games, arguments.iterations)
        for c, (points, matches) in totals.items():
            score = points / matches
            half = 1.96 * math.sqrt(score * (1 - score) / matches)
            print(f"{text:16} c = {c:<4} {score:6.1%} +- {half:.1%} of {matches}", flush=True)


if __name__ == "__main__":
    main()
