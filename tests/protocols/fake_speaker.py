"""An engine for tests that greets as its protocol wants it, and fails when it is asked for a move.

Run as ``python fake_speaker.py PROTOCOL BEHAVIOUR``: ``silent``, ``die``, ``illegal`` at the first question
for a move, ``deaf`` at the greeting. A protocol is what it answers to each first word, the word that asks
for a move, and a move that is never legal.
"""

import sys
import time
from typing import NamedTuple


class Speech(NamedTuple):
    """A protocol; ``{}`` in an answer is the rest of the line."""

    answers: dict[str, str]
    asked: str
    illegal: str


SPEECHES = {
    "aei": Speech({"aei": "protocol-version 1\naeiok", "isready": "readyok"}, "go", "bestmove Ra1n"),
    "gtp": Speech(
        dict.fromkeys(("list_commands", "boardsize", "clear_board", "komi", "play"), "=\n"),
        "genmove",
        "= z99\n",
    ),
    "hub": Speech({"hub": "wait", "init": "ready", "ping": "pong"}, "go", "done move=1-2"),
    "nboard": Speech({"ping": "pong {}"}, "go", "=== Z9/0/0"),
    "uci": Speech(
        {"uci": "option name UCI_Variant type combo var ataxx var breakthrough\nuciok", "isready": "readyok"},
        "go",
        "bestmove z9z9",
    ),
}


def main() -> None:
    speech, behaviour = SPEECHES[sys.argv[1]], sys.argv[2]
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word in speech.answers and behaviour != "deaf":
            print(speech.answers[word].format(rest), flush=True)
        elif word == speech.asked:
            if behaviour == "die":
                print("out of ideas", file=sys.stderr, flush=True)
                sys.exit(3)
            if behaviour == "silent":
                time.sleep(1000)
            print(speech.illegal, flush=True)
        elif word == "quit":
            break


if __name__ == "__main__":
    main()
