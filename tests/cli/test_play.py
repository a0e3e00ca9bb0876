import io
import os
import signal
import sys
import textwrap
from contextlib import suppress

import pytest
from rich.console import Console

import glaux
from glaux import _core
from glaux.cli.board import CHANGED_GROUND, draw_board
from glaux.looks.finding import looks
from glaux.rules.cells import changed_cells
from tests.cli.runner import process, refusal, run, run_process
from tests.rules.boards import DarkSquares, FourBoards, Hexagon

BUILT_IN = [info.name for info in _core.registry()]


def play(*arguments, stdin=""):
    result = run("play", *arguments, stdin=stdin)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


def boards(output: str, title: str) -> list[str]:
    """The parts of the output that begin with the title line."""
    return output.split(f"\n{title}  ")[1:]


def assert_shows(output: str, drawing: str) -> None:
    """The drawing is somewhere in the output, shifted as a whole at the most."""
    lines, expected = output.splitlines(), textwrap.dedent(drawing).strip("\n")
    height = len(expected.splitlines())
    blocks = ["\n".join(lines[i : i + height]) for i in range(len(lines))]
    assert expected in map(textwrap.dedent, blocks), output


# Boards


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


# Playing


def test_a_match_against_random_ends_with_the_result():
    # The player of this seed lets a column of four stand.
    output = play("connect_four", "random", "--seed", "1", stdin="1\n1\n1\n1\n")
    assert "● you win after 7 actions." in output
    record = output.split("Record: ")[1].split()
    assert record[::2] == ["1"] * 4


def test_losing_to_the_player():
    game = glaux.make("connect_four")
    moves = "1 2 1 2 3 2"  # the second player has three in column 2, and every other move loses
    assert not game.terminal(game.play(moves))
    output = play("connect_four", "--side", "both", "--moves", moves, stdin="4\n2\n")
    assert "○ second wins after 8 actions." in output
    output = play("connect_four", "--side", "second", "--moves", moves + " 4", stdin="2\n")
    assert "○ you win after 8 actions." in output


def test_a_draw_and_a_score():
    game = glaux.make("othello:size=4")
    for seed in range(100):
        output = play("othello:size=4", "--side", "none", "--seed", str(seed))
        if "A draw, score +0 after" in output:
            break
    record = output.split("Record: ")[1]
    assert game.outcome(game.play(record)) == 0


def test_the_same_seed_gives_the_same_match():
    matches = [play("hex:size=4", "--side", "none", "--seed", seed) for seed in ("1", "1", "2")]
    assert matches[0] == matches[1] != matches[2]


def test_second_side():
    output = play("othello", "--side", "second", "--seed", "1", stdin="quit\n")
    assert "○ to move (you)" in output
    assert "Stopped after 1 action.\n" in output


def test_illegal_input_gets_a_sentence_and_another_chance():
    output = play("othello", "--seed", "1", stdin="a1\nD3\nquit\n")
    assert "'a1' is not a legal action here; legal are d3, c4, f5, e6." in output
    assert "Stopped after 2 actions." in output


def test_the_beginning_of_an_action_gets_its_continuations():
    output = play("breakthrough", "--seed", "1", stdin="a2\n\nquit\n")
    assert "'a2' is only the beginning of a2a3, a2b3." in output


def test_input_that_is_no_text():
    result = run("play", "othello", "--seed", "1", stdin=b"\xff\xfe\nd3\nquit\n")
    assert result.exit_code == 0
    assert "is not a legal action here" in result.stdout
    assert "Stopped after 2 actions." in result.stdout


def test_moves_state_and_help():
    output = play("othello", stdin="moves\nstate\nHELP\nquit\n")
    assert "\n● > moves\nd3  c4  f5  e6\n" in output
    game = glaux.make("othello")
    assert f"\n● > state\n{game.state_text(game.initial())}\n" in output
    assert "go back to your previous decision" in output


def test_undo_takes_back_both_moves():
    output = play("othello", "--seed", "1", stdin="d3\nundo\nundo\nc4\nquit\n")
    assert [part.split("ply ")[1].split()[0] for part in boards(output, "Othello")] == ["0", "2", "0", "2"]
    assert "There is nothing to take back." in output
    assert "Record: c4 " in output


def test_undo_several_times_and_with_two_people():
    output = play("hex:size=5", "--side", "both", stdin="a1\nb2\nc3\nundo\nundo\nundo\nundo\nd4\n")
    assert "Record: d4\n" in output
    assert output.count("There is nothing to take back.") == 1


def test_undo_inside_and_across_turns_of_several_actions():
    inside = play("amazons", "--side", "first", stdin="a4\na5\nundo\nundo\nquit\n")
    assert "Stopped after 0 actions." in inside
    across = play("amazons", "--seed", "1", stdin="a4\na5\na6\nundo\nstate\nquit\n")
    assert "Record: a4 a5\n" in across  # the player's three actions and our arrow are gone


def test_end_of_input_says_how_to_go_on():
    output = play("othello", "--seed", "1", stdin="d3\n")
    assert "Stopped after 2 actions.\n" in output
    command = output.splitlines()[-1]
    assert command.startswith("Go on with: glaux play othello random --side first --state '")
    state = command.split("'")[1]
    assert "ply 2   ● 3  ○ 3" in play("othello", "--state", state)


def test_a_finished_match_as_the_start():
    output = play("connect_four", "--moves", "1 2 1 2 1 2 1")
    assert "● you win after 7 actions.\nRecord: 1 2 1 2 1 2 1\n" in output
    assert " > " not in output


def test_moves_of_the_command_line_can_be_taken_back():
    output = play("othello", "--moves", "d3 c3", stdin="undo\nquit\n")
    assert "Stopped after 0 actions." in output


def test_the_installed_program_plays():
    code, stdout, stderr = run_process("play", "connect_four", "--seed", "1", stdin="1\n1\n1\n1\n")
    assert (code, stderr) == (0, "")
    assert "● you win after 7 actions." in stdout


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_cleanly():
    with process("play", "othello") as started:
        assert started.stdout
        while "to move" not in started.stdout.readline():
            pass
        started.send_signal(signal.SIGINT)
        stdout, stderr = started.communicate()
    assert (started.returncode, stderr) == (130, "")
    assert "Stopped after 0 actions." in stdout


# One player


def test_a_cube_is_solved_by_a_person_alone():
    output = play("rubik2:twists=4,seed=1", stdin="F2\nx\nmoves\nU'\nundo\nR2\nU\nf\n")
    assert_shows(output, "     U U\n     U U\nL L  F F  R R  B B\nL L  F F  R R  B B\n     D D\n     D D")
    assert "\nply 1 of 20   played F2   you to move\n> x\n" in output
    assert "'x' is not a legal action here" in output
    assert "U  U2  U'  R  R2  R'  F  F2  F'" in output
    assert output.endswith("ply 4 of 20   played F\nWon after 4 actions.\nRecord: F2 R2 U F\n")


def test_a_cube_is_lost_at_the_limit_and_resumed():
    assert "Lost after 1 action." in play("rubik2:limit=1", stdin="U\n")
    output = play("rubik3", stdin="U\nquit\n")
    assert "--state" in output and "/" in output.split("--state ")[1]


def test_an_agent_solves_a_cube_alone():
    output = play("rubik2:twists=3,seed=2", "alphabeta:depth=3", "--side", "none")
    assert "alphabeta:depth=3 to move" in output
    assert "Won after 3 actions." in output


@pytest.mark.parametrize("side", ["second", "both"])
def test_who_plays_alone_has_no_other_side(side):
    assert "is for one player: use --side first to play" in refusal("play", "rubik2", "--side", side)


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
