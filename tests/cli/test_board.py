"""The boards that ``glaux play`` draws, with colours and without."""

import io
import os
import sys
from contextlib import suppress

import pytest
from rich.console import Console

import glaux
from glaux import _core
from glaux.cli.board import CHANGED_GROUND, draw_board
from glaux.looks.finding import looks
from glaux.rules.cells import changed_cells
from tests.cli.playing import assert_shows, boards, play
from tests.cli.runner import process
from tests.rules.boards import DarkSquares, FourBoards, Hexagon

BUILT_IN = [info.name for info in _core.registry()]


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_game_is_drawn_and_played_to_its_end(name):
    output = play(name, "--side", "none", "--seed", "1")
    shown = boards(output, glaux.make(name).spec.title)
    count = int(output.split(" after ")[1].split()[0])
    assert len(shown) == count + 1
    record = output.split("Record: ")[1].split()
    assert len(record) == count
    game = glaux.make(name)
    assert game.terminal(game.play(record))


def test_othello_with_changes_and_legal_moves():
    drawing = """
            a  b  c  d  e  f  g  h
         1  ·  ·  ·  ·  ·  ·  ·  ·  1
         2  ·  ·  ·  ·  ·  ·  ·  ·  2
         3  ·  + [○] ●  ·  ·  ·  ·  3
         4  ·  ·  + [○] ●  ·  ·  ·  4
         5  ·  ·  ·  ●  ○  +  ·  ·  5
         6  ·  ·  ·  ·  +  ·  ·  ·  6
         7  ·  ·  ·  ·  ·  ·  ·  ·  7
         8  ·  ·  ·  ·  ·  ·  ·  ·  8
            a  b  c  d  e  f  g  h
    """
    output = play("othello", "--moves", "d3 c3")
    assert_shows(output, drawing)
    assert "\nply 2   ● 3  ○ 3   ○ played c3   ● to move (you)\n" in output


def test_hex_leans():
    output = play("hex:size=4", "--side", "both", "--moves", "b2 c3 a4")
    drawing = """
            a   b   c   d
         1  ·   ·   ·   ·   1
           2  ·   ●   ·   ·   2
             3  ·   ·   ○   ·   3
               4 [●]  ·   ·   ·   4
                    a   b   c   d
    """
    assert_shows(output, drawing)


def test_amazons_in_the_middle_of_a_turn():
    drawing = """
            a  b  c  d  e  f
         6  ·  ○  +  ·  ○  +  6
         5  ○  ·  ·  +  · [+] 5
         4  ✕  ·  ·  ·  +  +  4
         3  ●  +  +  +  + [◎] 3
         2  ·  ·  ·  ·  +  ●  2
         1  ·  ●  ·  +  ●  ·  1
            a  b  c  d  e  f
    """
    assert "(●)" in play("amazons:size=6", "--side", "both")  # an amazon to choose
    output = play("amazons:size=6", "--side", "both", "--moves", "a2 a3 a4 f5 f3")
    assert_shows(output, drawing)


def test_santorini_shows_levels_and_the_builder():
    state = "0.0.4.2.1./4.2.1.0O2./0.1.4.3.1X/2.4.3.2.1O/0X2.0.1.1. O 86"
    drawing = """
             a   b   c   d   e
         5   ·   ·  4   2+ [1◎] 5
         4  4   2   1  [ +] 2+  4
         3   ·  1   4   3   1●  3
         2  2   4   3   2   1○  2
         1   ●  2    ·  1   1   1
             a   b   c   d   e
    """
    assert_shows(play("santorini", "--side", "both", "--state", state, "--moves", "d4e5"), drawing)


def test_connect_four_names_columns_by_their_actions():
    drawing = """
          1  2  3  4  5  6  7
          ·  ·  ·  ·  ·  ·  ·
          ·  ·  ·  ·  ·  ·  ·
          ·  ·  ·  ·  ·  ·  ·
          ·  ·  ·  ·  ·  ·  ·
          ·  ·  · [○] ·  ·  ·
          ·  ·  ·  ●  ·  ·  ·
          1  2  3  4  5  6  7
    """
    assert_shows(play("connect_four", "--moves", "4 4"), drawing)


def test_a_wide_board_is_drawn_tightly(monkeypatch):
    monkeypatch.setattr("tests.cli.runner.PLAIN", {"COLUMNS": "50", "NO_COLOR": "1"})
    output = play("outer_open_gomoku:size=19")
    assert "\n 19 + + +" in output


HEXAGON = """
    a   b   c   d   e
 1         [●]  ·   ·   1
   2      ·   ·   ·   ·   2
     3  ·   ·   ·   ·   ·   3
       4  ·   ·   ·   ·       4
         5  ·   ·   ·           5
              a   b   c   d   e
"""

DARK_SQUARES = """
    a  b  c  d
 1    [●]    ·  1
 2  ·     ·     2
 3     ·     ·  3
 4  ·     ·     4
    a  b  c  d
"""

FOUR_BOARDS = """
    a  b     c  d
 1 [●] ·     ·  ·  1
 2  ·  ·     ·  ·  2

 3  ·  ·     ·  ·  3
 4  ·  ·     ·  ·  4
    a  b     c  d
"""


@pytest.mark.parametrize(
    "rules, drawing", [(Hexagon, HEXAGON), (DarkSquares, DARK_SQUARES), (FourBoards, FOUR_BOARDS)]
)
def test_absent_cells_are_blank_and_several_boards_apart(rules, drawing):
    game = glaux.make(rules)
    start = game.initial()
    state = game.apply(start, game.actions(start)[0])
    console = Console(file=io.StringIO(), width=80, no_color=True)
    drawn = draw_board(state, console, changed_cells(start, state))
    assert drawn.plain.splitlines() == drawing.strip("\n").splitlines()


def test_a_game_of_a_user(tmp_path):
    path = tmp_path / "row.py"
    path.write_text("""
import glaux, numpy as np

class Row(glaux.Rules):
    '''One row of 30 cells; who fills the last one wins.'''
    state = np.dtype(("i1", (1, 30)))
    action_count, max_plies = 2, 30
    def first_player(self, s): return np.count_nonzero(s) % 2 == 0
    def actions(self, s): return [0, 1]
    def apply(self, s, action):
        n = np.count_nonzero(s)
        s[0, n:n + 1 + action] = n % 2 + 1
    def outcome(self, s):
        return None if np.count_nonzero(s) < 30 else 1
    def cells(self, s): return s
    def action_text(self, s, a): return ["one", "two"][a]
""")
    output = play(f"{path}:Row", "--seed", "2", stdin="one\ntwo\nundo\nquit\n")
    assert "Row\n" in output and "[●]" in output
    assert "Stopped after" in output


def test_a_game_of_open_spiel_shows_its_own_drawing():
    pytest.importorskip("pyspiel")
    output = play("open_spiel:game=tic_tac_toe", "--seed", "1", stdin="x(1,1)\nmoves\n")
    assert ".x." in output
    assert "x(0,0)" in output.split("> moves")[1]


def test_without_a_terminal_there_are_no_colours():
    assert "\x1b" not in play("othello")


def has_drawing(name):
    """Whether a game draws its board itself, as cubes and sheets of paper do."""
    game = glaux.make(name)
    return game.native.drawing(game.initial()) is not None


@pytest.mark.parametrize("name", [name for name in looks() if not has_drawing(name)])
def test_with_colours_the_ground_of_a_cell_shows_its_change(name):
    game = glaux.make(name)
    before = game.initial()
    after = game.apply(before, game.actions(before)[0])
    changed = changed_cells(before, after)
    console = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", width=120)
    drawn = draw_board(after, console, changed)
    assert "[" not in drawn.plain
    assert len([span for span in drawn.spans if CHANGED_GROUND in str(span.style)]) == len(changed) > 0


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_on_a_terminal():
    main, side = os.openpty()
    environment = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    output = b""
    with process("play", "othello", stdin=side, stdout=side, environment=environment) as started:
        os.close(side)
        for answer in (b"d3\n", b"quit\n"):
            while not output.endswith(b"> "):
                output += os.read(main, 4096)
            os.write(main, answer)
            output += b"\n"
        with suppress(OSError):  # which says that the other side is closed
            while part := os.read(main, 4096):
                output += part
        started.wait()
    os.close(main)
    assert started.returncode == 0
    assert output.count(b"\x1b[2J") == 2  # the board is drawn in place
    assert b"\x1b[1;38;2;" in output and b"Stopped after 2 actions." in output


def test_walls_stand_between_cells_in_colour():
    console = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", width=80)
    state = glaux.make("quoridor").play("e2 e3h")
    drawn = draw_board(state, console)
    assert drawn.plain == str(state)
    styles = {drawn.plain[span.start : span.end]: str(span.style) for span in drawn.spans}
    assert len({styles[part] for part in ("X", "O", "-------")}) == 3


def test_a_cube_is_a_coloured_net():
    console = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", width=80)
    drawn = draw_board(glaux.make("rubik2").parse_state("UUUU/RRRR/FFFF/DDDD/LLLL/BBBB 0"), console)
    lines = drawn.plain.split("\n")
    assert [line.split() for line in lines] == [
        *[["U", "U"]] * 2,
        [],
        *[list("LLFFRRBB")] * 2,
        [],
        *[["D", "D"]] * 2,
    ]
    styles = {drawn.plain[span.start : span.end].strip(): str(span.style) for span in drawn.spans}
    grounds = {letter: style.split(" on ")[1] for letter, style in styles.items() if letter}
    assert len(set(grounds.values())) == 6
