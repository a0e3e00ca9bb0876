"""Glaux as a GTP engine: every command, every game, and any input at all."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glaux
from glaux.engine.gtp import GtpEngine
from glaux.engine.serving import LONGEST_LINE, serve
from glaux.errors import Forfeit
from glaux.players.registry import make_player
from glaux.players.searching import SearchPlayer
from glaux.protocols.dialects import dialect_of
from glaux.rules.game import State
from tests.boards import SMALL, small_game
from tests.protocols.wild import WILD_BYTES, WILD_TEXT

REQUIRED = {
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit"),
    *("boardsize", "clear_board", "komi", "play", "genmove", "undo", "showboard", "final_score"),
    *("time_settings", "time_left", "reg_genmove"),
}


def engine_of(game: str, player: str = "random") -> GtpEngine:
    return GtpEngine(glaux.make(game), lambda made: make_player(player, made, 1), "Glaux", "1.0")


def ask(engine: GtpEngine, *lines: str) -> str:
    """The text of the answer to the last line; all are accepted."""
    answer = ""
    for line in lines:
        answer = engine.answer(line) or ""
        assert answer.startswith("="), (line, answer)
    return answer[1:].strip()


def refusal(engine: GtpEngine, line: str) -> str:
    answer = engine.answer(line) or ""
    assert answer.startswith("?") and answer.count("\n") == 2, (line, answer)
    return answer[1:].strip()


def test_all_required_commands_are_known() -> None:
    engine = engine_of("othello")
    assert set(REQUIRED) <= set(ask(engine, "list_commands").split("\n"))
    assert ask(engine, "known_command genmove") == "true"
    assert ask(engine, "known_command fly") == "false"
    assert ask(engine, "protocol_version") == "2"
    assert ask(engine, "name") == "Glaux"
    assert ask(engine, "version") == "1.0"
    assert ask(engine, "komi 6.5") == ask(engine, "komi -3") == ""


def test_go_has_komi_and_names_without_i() -> None:
    engine = engine_of("go")
    ask(engine, "boardsize 9", "clear_board", "play b J9", "komi 6.5", "play w pass")
    assert engine.session.game == glaux.make("go:komi=6.5")
    assert engine.session.record.texts == ["j9", "pass"], "the match goes on"
    assert "not a legal action" in refusal(engine, "play b I9")
    assert "multiple of 0.5" in refusal(engine, "komi 6.25")
    assert ask(engine, "play b pass", "final_score") == "B+74.5"
    assert ask(engine, "genmove w") == "pass"
    assert engine.session.game == glaux.make("go:komi=6.5")
    assert "H9" in ask(engine, "clear_board", "all_legal_moves").split()


def test_numbers_comments_and_empty_lines() -> None:
    engine = engine_of("othello")
    assert engine.answer("12 name # who?\n") == "=12 Glaux\n\n"
    assert engine.answer("7 fly") == "?7 unknown command\n\n"
    assert engine.answer("# nothing") is None


@pytest.mark.parametrize(
    "line, sentence",
    [
        ("fly", "unknown command"),
        ("GENMOVE black", "unknown command"),
        ("play", "argument needed"),
        ("play black", "A colour and an action are needed"),
        ("play green d3", "is not a colour"),
        ("play black a1", "illegal move: 'a1' is not a legal action here"),
        ("play white d3", "illegal move: It is black's turn"),
        ("play black pass", "illegal move"),
        ("genmove", "argument needed"),
        ("genmove black white", "argument needed"),
        ("undo", "nothing to undo"),
        ("boardsize", "unacceptable size"),
        ("boardsize 7", "unacceptable size: .*even"),
        ("final_score", "cannot score"),
        ("komi much", "not a number"),
        ("komi 1e400", "not a number"),
        ("time_settings 1 2", "3 arguments needed"),
        ("time_settings -1 2 3", "negative"),
        ("time_left black", "3 arguments needed"),
        ("known_command", "1 argument needed"),
        ("set_game Chess", "unsupported game"),
        ("glaux-evaluate", "does not search"),
    ],
)
def test_refusals(line: str, sentence: str) -> None:
    engine = engine_of("othello")
    assert re.search(sentence, refusal(engine, line))
    assert engine.session.state == glaux.make("othello").initial()


@pytest.mark.parametrize("name", SMALL)
def test_two_engines_play_every_game(name: str) -> None:
    """Each hears of what the other plays; both agree with the rules at the end."""
    game = small_game(name)
    engines = [engine_of(game.text), engine_of(game.text, "random:seed=2")]
    state, dialect = game.initial(), dialect_of(game)
    while not game.terminal(state):
        first = game.first_player(state)
        mover, other = engines if first else engines[::-1]
        move = ask(mover, f"genmove {dialect.colour(first)}")
        ask(other, f"play {dialect.colour(first)} {move}")
        for text in dialect.parts(move):
            if text == "pass":
                assert "pass" in [game.action_text(state, action) for action in game.actions(state)]
            state = game.apply(state, dialect.read(state, text))
    outcome = game.outcome(state)
    for engine in engines:
        assert ask(engine, "glaux-state") == game.state_text(state)
        score = ask(engine, "final_score")
        assert score[0] == (dialect.colour(outcome > 0)[0].upper() if outcome else "0")
        if game.spec.has_score and outcome:
            assert float(score[2:]) == abs(game.score(state))
        assert "The match is over" in ask(engine, "showboard")


@pytest.mark.parametrize("name", SMALL)
def test_undo_goes_back_through_a_match(name: str, seed: int) -> None:
    engine = engine_of(small_game(name).text, f"random:seed={seed}")
    game, states = engine.session.game, []
    for _ in range(12):
        if game.terminal(engine.session.state):
            break
        states.append(engine.session.state)
        ask(engine, f"genmove {dialect_of(game).colour(game.first_player(states[-1]))}")
    for state in reversed(states):
        ask(engine, "undo")
        assert engine.session.state == state
    assert "nothing to undo" in refusal(engine, "undo")


def test_reg_genmove_leaves_the_board() -> None:
    engine = engine_of("othello", "mcts:iterations=50")
    before = ask(engine, "showboard")
    assert ask(engine, "reg_genmove black") in ["D3", "C4", "F5", "E6"]
    assert ask(engine, "showboard") == before


def test_boardsize_keeps_the_other_parameters() -> None:
    engine = engine_of("connect_four:rows=5,columns=5,length=3")
    ask(engine, "boardsize 6 4")
    assert engine.session.game == glaux.make("connect_four:rows=4,columns=6,length=3")
    ask(engine, "play black 6")
    assert "unacceptable size" in refusal(engine, "boardsize 99 99")
    assert engine.session.record.texts == ["6"]  # the match goes on
    ask(engine, "clear_board")
    assert engine.session.record.texts == []


def test_a_value_of_another_board_is_refused(tmp_path) -> None:
    glaux.NTupleNetwork(glaux.make("othello:size=6"), count=2, length=3, seed=1).save(tmp_path / "value")
    engine = engine_of("othello:size=6", f"ubfm:value={tmp_path / 'value'},iterations=3")
    assert "unacceptable size" in refusal(engine, "boardsize 8")
    assert ask(engine, "genmove black")


# Othello


def test_othello_passes_are_implied() -> None:
    """A position in which white must pass, found by playing: nobody says the pass, as with GRhino."""
    game = glaux.make("othello:size=4")
    for seed in range(1000):
        rng, moves, state = random.Random(seed), [], game.initial()
        while not game.terminal(state):
            action = rng.choice(game.actions(state))
            moves.append((game.first_player(state), game.action_text(state, action)))
            state = game.apply(state, action)
        passes = [i for i, (_, text) in enumerate(moves) if text == "pass"]
        if passes:
            break
    spoken, silent = engine_of("othello:size=4"), engine_of("othello:size=4")
    for first, text in moves:
        ask(spoken, f"play {'black' if first else 'white'} {text}")
        if text != "pass":
            ask(silent, f"play {'black' if first else 'white'} {text}")
    assert spoken.session.state == silent.session.state == state
    assert spoken.session.record.texts == [text for _, text in moves]
    for _ in moves[passes[0] :]:
        if len(silent.session.record.actions) > passes[0]:
            ask(silent, "undo")
    assert silent.session.record.texts[-1] != "pass"
    passed_over = "black" if moves[passes[0]][0] else "white"
    replayed = engine_of("othello:size=4")
    for first, text in moves[: passes[0]]:
        ask(replayed, f"play {'black' if first else 'white'} {text}")
    assert ask(replayed, f"genmove {passed_over}") == "pass"
    assert ask(replayed, f"play {passed_over} pass") == ""


def test_set_game() -> None:
    engine = engine_of("othello")
    assert ask(engine, "set_game Othello") == ask(engine, "set_game othello") == ""
    assert ask(engine, "list_games") == "Othello"


# Hex


def test_hex_with_the_words_of_hexgui() -> None:
    engine = engine_of("hex", "mcts:iterations=100")
    ask(engine, "boardsize 5 5", "play black a2", "play white swap-pieces")
    assert engine.session.record.texts == ["a2", "swap"]
    assert set(ask(engine, "all_legal_moves").split()) == {
        f"{column}{row}" for column in "abcde" for row in "12345" if f"{column}{row}" != "b1"
    }
    ask(engine, "boardsize 3x3", "play black resign")
    for moves in ("black a1", "white b2", "black a2", "white c3", "black a3"):
        ask(engine, f"play {moves}")
    assert ask(engine, "final_score") == "B+"
    assert ask(engine, "genmove white") == "resign"  # as MoHex


def test_analyze_commands_are_known() -> None:
    engine = engine_of("hex:size=4", "mcts:iterations=100")
    for line in ask(engine, "hexgui-analyze_commands").split("\n"):
        kind, label, command = line.split("/")
        assert kind in ("string", "var", "pspairs", "plist", "varc") and label
        if command != "final_score":
            ask(engine, command.replace("%c", "black"))


# What the player thinks, and time


def test_evaluation_is_that_of_the_search() -> None:
    engine = engine_of("connect_four", "ubfm:iterations=2000")
    ask(engine, *(f"play {c} {m}" for c, m in zip(["black", "white"] * 3, "414142", strict=True)))
    assert ask(engine, "glaux-evaluate").startswith("+1.0000 proven for black, line 4")
    assert ask(engine, "glaux-variation").split()[0] == "4"
    values = ask(engine, "glaux-values").split()
    assert values[values.index("4") + 1] == "+1.00"
    ask(engine, "play black 4")
    assert "match is over" in refusal(engine, "glaux-evaluate")
    assert "match is over" in refusal(engine, "genmove white")


def test_time_shortens_the_thinking() -> None:
    engine = engine_of("hex:size=5", "mcts:seconds=1000")
    player = engine.session.player
    assert isinstance(player, SearchPlayer)
    ask(engine, "time_settings 0 0.1 1", "genmove black")
    assert player.allowance == pytest.approx(0.09)
    ask(engine, "time_left white 0.2 4", "genmove white")
    assert player.allowance == pytest.approx(0.045)
    ask(engine, "clear_board", "time_left black 0.4", "genmove black")
    assert player.allowance is not None and player.allowance < 0.2


def test_an_evaluation_has_the_time_of_the_player() -> None:
    engine = engine_of("hex:size=5", "mcts:iterations=50000")
    ask(engine, "time_settings 0 0.001 1", "genmove black", "glaux-evaluate")
    player = engine.session.player
    assert isinstance(player, SearchPlayer) and player.tree is not None
    assert player.tree.statistics.iterations == 50000, "what was left for the last move is not about it"


def test_time_does_not_lengthen_it() -> None:
    engine = engine_of("hex:size=5", "mcts:iterations=20")
    ask(engine, "time_settings 0 1000 1", "genmove black")
    player = engine.session.player
    assert isinstance(player, SearchPlayer) and player.tree is not None
    assert player.tree.statistics.iterations <= 20


def test_a_player_that_gives_up_resigns() -> None:
    class Tired:
        def begin(self) -> None: ...

        def choose(self, state: State, history: Sequence[int] = ()) -> int:
            raise Forfeit("Enough.")

        def close(self) -> None: ...

    engine = GtpEngine(glaux.make("hex:size=4"), lambda _: Tired(), "Tired", "1")
    assert ask(engine, "genmove black") == "resign"


# The loop, and anything


def served(data: bytes, game: str = "connect_four:rows=4,columns=4,length=3") -> bytes:
    replies = io.BytesIO()
    serve(engine_of(game, "mcts:iterations=5"), io.BytesIO(data), replies)
    return replies.getvalue()


def test_serving() -> None:
    assert served(b"1 name\n\n# x\nfly\n2 quit\n3 name\n") == b"=1 Glaux\n\n? unknown command\n\n=2\n\n"
    assert served(b"1 name") == b"=1 Glaux\n\n"  # the end of input ends the last line
    assert served(b"") == b""


def test_a_line_without_an_end() -> None:
    long = b"play " + b"x" * (3 * LONGEST_LINE)
    assert served(long + b"\n1 name\n") == b"? the line is too long\n\n=1 Glaux\n\n"
    assert served(long) == b"? the line is too long\n\n"


NAMES = st.sampled_from([name for name in engine_of("hex").commands if name != "quit"])
WORDS = WILD_TEXT | st.sampled_from(["black", "white", "b", "1", "-1", "4x4", "pass", "resign", "9" * 400])
COMMANDS = st.builds(lambda *words: " ".join(words).encode(), NAMES, WORDS, WORDS)


@settings(max_examples=60)
@given(lines=st.lists(WILD_BYTES | COMMANDS, max_size=12))
def test_any_input_gets_an_answer_for_each_command(lines: list[bytes]) -> None:
    written = served(b"\n".join(lines) + b"\nname\n")
    answers = written.decode().split("\n\n")
    assert answers.pop() == ""
    assert all(answer[0] in "=?" for answer in answers)
    if not any(b"quit" in line for line in lines):
        assert answers[-1] == "= Glaux"
