"""A UCI engine for tests whose rules are Fairy-Stockfish's library: it plays at random.

Run as ``python fairy_engine.py SEED``. It ends at a move that its rules do not allow, so that whoever leads
it is held to them. Its greeting is that of Fairy-Stockfish.
"""

import random
import sys

import pyffish


def main() -> None:
    chance = random.Random(int(sys.argv[1]))
    variant, fen, moves = "", "", list[str]()
    for line in sys.stdin:
        words = line.split()
        if words[0] == "uci":
            names = " ".join(f"var {name}" for name in pyffish.variants())
            print(f"option name UCI_Variant type combo default chess {names}\nuciok", flush=True)
        elif words[0] == "isready":
            print("readyok", flush=True)
        elif words[:3] == ["setoption", "name", "UCI_Variant"]:
            variant = words[4]
        elif words[:2] == ["position", "fen"]:
            split = words.index("moves") if "moves" in words else len(words)
            fen, moves = " ".join(words[2:split]), words[split + 1 :]
            if pyffish.validate_fen(fen, variant) != pyffish.FEN_OK:
                sys.exit(f"{fen} is no position of {variant}")
            for i, move in enumerate(moves):
                if i >= len(moves) - 2 and move not in pyffish.legal_moves(variant, fen, moves[:i]):
                    sys.exit(f"{move} is not legal in {fen} {moves[:i]}")
        elif words[0] == "go":
            print(f"bestmove {chance.choice(pyffish.legal_moves(variant, fen, moves))}", flush=True)
        elif words[0] == "quit":
            break


if __name__ == "__main__":
    main()
