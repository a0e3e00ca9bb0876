"""A GTP engine for tests: it plays the moves of its command line, and can fail in many ways.

Run as ``python fake_engine.py BEHAVIOUR MOVE ...``. Until its moves are used up it behaves well. What
stands behind a hyphen in the behaviour is only for others to recognise the process.
"""

import os
import signal
import sys
import time

COMMANDS = ("list_commands", "boardsize", "clear_board", "play", "genmove", "quit")


def genmove(behaviour: str, moves: list[str]) -> str:
    if moves:
        return f"= {moves.pop(0)}\n\n"
    if behaviour in ("silent", "deaf"):
        time.sleep(1000)
    if behaviour == "die":
        print("first words\nout of ideas", file=sys.stderr, flush=True)
        sys.exit(3)
    if behaviour == "mumble":
        os.close(sys.stdout.fileno())
        time.sleep(0.3)
        os.write(sys.stderr.fileno(), b"late words\n")
        os._exit(4)
    while behaviour == "flood":
        print("thinking", flush=True)
    while behaviour == "endless":
        sys.stdout.write("." * 4096)
    while behaviour == "never done":
        print("= and another thing", flush=True)
    answers = {"resign": "= resign", "refuse": "? I will not", "illegal": "= z99"}
    return answers.get(behaviour, "=") + "\n\n"


def main() -> None:
    behaviour, moves = sys.argv[1].partition("-")[0], sys.argv[2:]
    if behaviour == "deaf":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
    if behaviour == "bytes":
        sys.stdout.buffer.write(b"\xff\x00\xfe\n= \xff\n\n")
    told = []
    for line in sys.stdin:
        told.append(line.strip())
        word = line.split()[0]
        if word == "genmove":
            reply = genmove(behaviour, moves)
        elif word == "list_commands":
            reply = "= " + "\n".join(COMMANDS) + "\n\n"
        elif word == "told":
            reply = "= " + "|".join(told) + "\n\n"
        elif word == "quit":
            if behaviour != "deaf":
                break
            time.sleep(1000)
        else:
            reply = "=\n\n"
        sys.stdout.write(reply)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
