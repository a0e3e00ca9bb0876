"""Draws play.svg, the picture of ``glaux play``: ``python docs/images/make_play.py``."""

import io
import re
from pathlib import Path

from rich.console import Console
from rich.text import Text

import glaux
from glaux.cli.sitting import Sitting
from glaux.players.registry import make_player
from glaux.records.record import Record

MOVES = "f5 d6 c3 d3 c4 f4 c5 b3 c2 e3 d2 c6 b4 b5"
CHARACTER_WIDTH = 12.2  # in Rich's pictures
FONTS = "'DejaVu Sans Mono', Menlo, Consolas"


def main() -> None:
    """Play the moves, record the screen, and write it beside this file."""
    game = glaux.make("othello")
    record = Record(game.initial())
    for text in MOVES.split():
        record.play(game.parse_action(record.state, text))
    console = Console(
        record=True, file=io.StringIO(), force_terminal=True, color_system="truecolor", width=72
    )
    sitting = Sitting(
        record=record,
        people={True: True, False: False},
        player=make_player("random", game, seed=0),
        player_text="random",
        console=console,
        delay=0,
        resume=(),
    )
    sitting.show()
    console.print(Text("● > "))
    svg = console.export_svg(title="glaux play othello")
    Path(__file__).with_name("play.svg").write_text(trimmed(plain_fonts(svg)))


def plain_fonts(svg: str) -> str:
    """Rich's picture with fonts that people have, instead of one that it fetches from the web."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code", FONTS)


def trimmed(svg: str) -> str:
    """The picture without spaces around texts, which some programs leave out and others do not."""
    pattern = r'x="([\d.]+)" y="([\d.]+)" textLength="([\d.]+)"([^>]*)>((?:&#160;)*)([^<]*?)((?:&#160;)*)<'

    def trim(match: re.Match[str]) -> str:
        x, y, length, rest, left, text, right = match.groups()
        before, after = (len(spaces) // len("&#160;") * CHARACTER_WIDTH for spaces in (left, right))
        x, length = float(x) + before, float(length) - before - after
        return f'x="{x:.1f}" y="{y}" textLength="{length:.1f}"{rest}>{text}<'

    return re.sub(pattern, trim, svg)


if __name__ == "__main__":
    main()
