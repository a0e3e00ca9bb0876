"""``glaux play``: matches of people, by commands and moves; alone, too."""

import signal
import sys

import pytest

import glaux
from tests.cli.playing import assert_shows, boards, play
from tests.cli.runner import process, refusal, run, run_process


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
    assert "'a1' is not a legal action here; legal actions are d3, c4, f5, e6." in output
    assert "Stopped after 2 actions." in output


def test_the_beginning_of_an_action_gets_its_continuations():
    output = play("breakthrough", "--seed", "1", stdin="a2\n\nquit\n")
    assert "'a2' is ambiguous: it could be a2a3, a2b3." in output


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
    assert "There is nothing to undo." in output
    assert "Record: c4 " in output


def test_undo_several_times_and_with_two_people():
    output = play("hex:size=5", "--side", "both", stdin="a1\nb2\nc3\nundo\nundo\nundo\nundo\nd4\n")
    assert "Record: d4\n" in output
    assert output.count("There is nothing to undo.") == 1


def test_undo_inside_and_across_turns_of_several_actions():
    inside = play("amazons", "--side", "first", stdin="a4\na5\nundo\nundo\nquit\n")
    assert "Stopped after 0 actions." in inside
    across = play("amazons", "--seed", "1", stdin="a4\na5\na6\nundo\nstate\nquit\n")
    assert "Record: a4 a5\n" in across  # the player's three actions and our arrow are gone


def test_end_of_input_says_how_to_go_on():
    output = play("othello", "--seed", "1", stdin="d3\n")
    assert "Stopped after 2 actions.\n" in output
    command = output.splitlines()[-1]
    assert command.startswith("Continue with: glaux play othello random --side first --state '")
    state = command.split("'")[1]
    assert "ply 2   ● 3  ○ 3" in play("othello", "--state", state)


def test_a_finished_match_as_the_start():
    output = play("connect_four", "--moves", "1 2 1 2 1 2 1")
    assert "● you win after 7 actions.\nRecord: 1 2 1 2 1 2 1\n" in output
    assert " > " not in output


def test_moves_of_the_command_line_can_be_taken_back():
    output = play("othello", "--moves", "d3 c3", stdin="undo\nquit\n")
    assert "Stopped after 0 actions." in output


def test_a_match_that_could_not_be_saved_does_not_begin(tmp_path):
    game, file = glaux.make("hex:size=3"), tmp_path / "match.sgf"
    state = game.state_text(game.play("a1"))
    sentence = refusal("play", "hex:size=3", "random", "--state", state, "--save", str(file))
    assert "from their start" in sentence and not file.exists()


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
    assert "is a game for one player: use --side first to play" in refusal("play", "rubik2", "--side", side)
