"""An entrant of the Computer Olympiad: its dialogue, its maps of cells, its time, and whole matches."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glaux
from glaux.engine.clock import LEAST, RESERVE, thinking_time
from glaux.engine.entering import entrant_maker
from glaux.engine.olympiad import Entrant
from glaux.engine.olympiad_moves import OlympiadNotation
from glaux.errors import InvalidParameter
from glaux.looks.finding import looks
from glaux.players.searching import SearchPlayer
from glaux.protocols.olympiad import OlympiadDialect, events, game_of, parse_move, write_move
from glaux.records.record import Record
from glaux.values.zoo import VARIABLE
from tests.olympiad.client import Terminal, ask, at_random, entrant
from tests.olympiad.referees import REFEREES
from tests.protocols.wild import WILD_TEXT

EVENTS = sorted(events())


def test_moves_in_both_dialects() -> None:
    assert parse_move("A2-A3") == parse_move("a2a3") == ("a2", "a3")
    assert parse_move("J10-J9") == parse_move("j10j9") == ("j10", "j9")
    assert parse_move("C3-C4-C2-C3") == ("c3", "c4", "c2", "c3")
    assert parse_move("PASS") == ("pass",)
    assert write_move(("a2", "a3"), OlympiadDialect.PLAIN) == "A2-A3"
    assert write_move(("a2", "a3"), OlympiadDialect.GO) == "a2a3"
    assert write_move(("k11",), OlympiadDialect.PLAIN) == "K11"
    assert write_move(("swap",), OlympiadDialect.PLAIN) == write_move(("swap",), OlympiadDialect.GO) == "swap"


@pytest.mark.parametrize("event", EVENTS)
def test_two_entrants_play_whole_matches_in_two_dialects(event: str) -> None:
    """What one writes in a dialect the other reads, and both see the same end."""
    plain, go = entrant(event), entrant(event)
    game, plies = game_of(event), 0
    while (mover := ask(plain, "player")) != "-1":
        assert ask(go, "player") == mover
        if plies % 2 == 0:
            move = ask(plain, f"genmove {mover}")
            assert move == move.upper() or move in ("swap", "pass")
            ask(go, f"play {mover} {move}")
        else:
            move = ask(go, f"genmove {'bw'[int(mover)]}")
            assert move == move.lower() and "-" not in move
            ask(plain, f"play {'bw'[int(mover)]} {move}")
        assert plain.record.actions == go.record.actions
        plies += 1
        assert plies <= game.spec.max_plies
    assert ask(go, "player") == "-1"
    while plain.record.actions:
        ask(plain, "undo")
    assert plain.record.state == game.initial()


def test_the_first_player_of_hex_joins_left_and_right_there() -> None:
    engine = entrant("hex11")
    ask(engine, "play 0 C4")
    assert engine.record.texts == ["h3"]
    ask(engine, "play 1 C5")
    assert engine.record.texts == ["h3", "g3"]
    ask(engine, "undo")
    assert ask(engine, "player") == "1"
    ask(engine, "play 1 C4")  # their way to swap
    assert engine.record.texts == ["h3", "swap"]
    ask(engine, "play 0 A1")
    assert engine.record.texts[2:] == ["a11"]
    ask(engine, "undo", "undo", "play 1 swap")
    assert engine.record.texts == ["h3", "swap"]
    stone = engine.record.state.game.cells(engine.record.state)
    assert stone[11 - 4, 2], "the stone lies where the client shows it: column C, row 4 from the bottom"


def test_a_swap_in_havannah_leaves_the_stone() -> None:
    engine = entrant("havannah8")
    ask(engine, "play 0 C4", "play 1 C4")
    assert engine.record.texts == ["c4", "swap"]
    ask(engine, "play 0 O15")
    assert engine.record.texts[2:] == ["o15"]


def test_rows_of_othello_are_counted_from_the_bottom() -> None:
    engine = entrant("othello8")
    legal = {move[0] for move in engine.notation.legal()}
    assert legal == {"d6", "c5", "f4", "e3"}
    ask(engine, "play 0 D6")
    assert engine.record.texts == ["d3"]
    assert entrant("othello10").game.parameters["size"] == 10


def test_clobber_is_mirrored() -> None:
    engine = entrant("clobber")
    ask(engine, "play 0 I8-H8")
    assert engine.record.texts == ["b8c8"]


def test_moves_of_amazons_are_two_actions_and_an_arrow() -> None:
    engine = entrant("amazons")
    ask(engine, "play 0 D1-D7")
    assert engine.record.texts == ["d1", "d7"]
    ask(engine, "play 0 G7")
    assert engine.record.texts == ["d1", "d7", "g7"] and ask(engine, "player") == "1"
    ask(engine, "undo")
    assert engine.record.texts == ["d1", "d7"]
    ask(engine, "undo")
    assert engine.record.texts == []
    move, arrow = ask(engine, "genmove 0"), ask(engine, "genmove 0")
    assert len(parse_move(move)) == 2 and len(parse_move(arrow)) == 1


def test_pushes_pulls_and_passes_of_arimaa() -> None:
    engine = entrant("arimaa")
    board = "r......./......../......../......../..d...../.CE...../......../.......R"
    engine.record = Record(engine.game.parse_state(f"{board} X 40 0 - -"))
    engine.notation = OlympiadNotation(engine.record)
    ask(engine, "play 0 C3-C4-D4")
    assert engine.record.texts == ["dc4e,Ec3n"] and ask(engine, "player") == "0"
    ask(engine, "play b c4c5d4c4")
    assert engine.record.texts[1:] == ["Ec4n,dd4w"] and ask(engine, "player") == "1"
    ask(engine, "undo", "play 0 pass")
    assert engine.record.texts[1:] == ["pass"] and ask(engine, "player") == "1"
    ask(engine, "undo", "undo")
    assert engine.record.texts == [] and ("pass",) not in engine.notation.legal()


def test_arimaa_is_set_up_cell_by_cell() -> None:
    engine = entrant("arimaa")
    ask(engine, "play 0 A2", "play w b2")
    assert engine.record.texts == ["Ra2", "Rb2"]
    assert len(parse_move(ask(engine, "genmove 0"))) == 1 and ask(engine, "player") == "0"


def test_turns_of_shobu_are_two_moves() -> None:
    engine = entrant("shobu")
    ask(engine, "play 0 A1-B2")
    assert ask(engine, "player") == "0"
    ask(engine, "play 0 E5-F6")
    assert engine.record.texts == ["a1b2", "e5f6"] and ask(engine, "player") == "1"
    ask(engine, "undo", "play b e1f2")
    assert engine.record.texts == ["a1b2", "e1f2"]


def test_the_colour_of_a_play_says_nothing() -> None:
    engine = entrant("breakthrough")
    ask(engine, "play 0 A2-A3", "play 0 A7-A6", "play 0 B2-B3")
    assert engine.record.texts == ["a2a3", "a7a6", "b2b3"]


def test_passes_may_be_said_or_not() -> None:
    """A position of Othello in which one player has to pass is found, then gone through in both ways."""
    generator, game = random.Random(0), game_of("othello8")
    while True:
        engine = entrant("othello8")
        while not engine.game.terminal(engine.record.state) and not engine._is_pass():
            engine._keep([generator.choice(game.actions(engine.record.state))])
        if not engine.game.terminal(engine.record.state):
            break
    passer = ask(engine, "player")
    moves = len(engine.record.actions)
    assert ask(engine, f"genmove {passer}") == "pass"
    [move, *_] = [write_move(move, OlympiadDialect.PLAIN) for move in engine.notation.legal()]
    ask(engine, "undo")
    ask(engine, f"play 0 {move}")  # the pass is not said
    assert engine.record.texts[moves:][0] == "pass" and len(engine.record.actions) == moves + 2
    ask(engine, "play 0 pass")  # where there is none, it says nothing
    assert len(engine.record.actions) == moves + 2


def test_games_change_and_begin_anew() -> None:
    engine = Entrant(at_random, "Glaux", "1.0")
    assert "no game was chosen" in (engine.answer("genmove 0") or "")
    ask(engine, "game hex13", "play 0 A1", "game hex13")
    assert engine.record.actions == []
    ask(engine, "play 0 A1", "clear_board")
    assert engine.record.actions == []
    ask(engine, "game santorini", "genmove 0")
    assert engine.game.name == "santorini"
    assert "There is no event 'chess'" in (engine.answer("game chess") or "")
    assert engine.game.name == "santorini"


@given(
    st.lists(
        st.sampled_from(["game hex11", "game amazons", "genmove 0", "genmove b", "undo", "play", "time_left"])
        | st.sampled_from(["time_left 0 nan", "time_left 0 -1", "known_command", "player", "resign"])
        | WILD_TEXT.filter(lambda text: "quit" not in text),
        max_size=12,
    )
)
@settings(max_examples=150, deadline=None)
def test_nothing_is_ever_refused(lines: list[str]) -> None:
    engine = Entrant(at_random, "Glaux", "1.0")
    for line in lines:
        answer = engine.answer(line)
        assert answer is None or (answer.startswith("=") and "resign" not in answer.partition("#")[0])
        assert not engine.ended


@pytest.mark.parametrize("event", EVENTS)
def test_time_lasts_for_a_whole_match(event: str) -> None:
    """Two minutes, with a second on the way of each action, in matches at random."""
    game = game_of(event)
    left, state, generator = {True: 300.0, False: 300.0}, game.initial(), random.Random(2)
    while not game.terminal(state) and game.ply(state) < 300:
        mover = game.first_player(state)
        seconds = thinking_time(state, left[mover], latency=1.0)
        left[mover] -= seconds + 1.0
        state = game.apply(state, generator.choice(game.actions(state)))
    assert min(left.values()) > 0
    assert thinking_time(game.initial(), RESERVE, 1.0) == LEAST
    assert thinking_time(game.initial(), 1800.0, 1.0) > 5.0


def test_the_clock_is_the_players_limit(tmp_path: Path) -> None:
    engine = Entrant(entrant_maker(None, 0.01, seed=1), "Glaux", "1.0")
    ask(engine, "game hex11", "time_left 0 1800", "time_left 1 1800", "genmove 0")
    player = engine.player
    assert isinstance(player, SearchPlayer) and player.allowance is not None
    assert 10 < player.allowance < 60 and player.limits["seconds"] == 0.01
    assert 1000 < engine.left["0"] < 1800


def test_an_agent_for_each_game_of_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The event's own, then the game's; where it does not fit, MCTS, and the operator is told why."""
    hex11, connect_four = glaux.make("hex"), glaux.make("connect_four")
    glaux.NTupleNetwork(hex11, count=2, length=3).save(tmp_path / "hex")
    glaux.NTupleNetwork(connect_four, count=2, length=3).save(tmp_path / "othello8")
    make_entrant = entrant_maker(tmp_path, 0.1, seed=1)
    assert make_entrant("hex11", hex11).remark == f"hex11 is played by ubfms with {tmp_path / 'hex'}"
    other = make_entrant("othello8", glaux.make("othello")).remark
    assert other.startswith("othello8 is played by mcts: no value function for it (")
    with pytest.raises(InvalidParameter, match="There is no directory"):
        entrant_maker(tmp_path / "nothing", None, seed=1)
    monkeypatch.delenv(VARIABLE)
    assert entrant_maker(None, 0.1, seed=1)("hex11", hex11).remark == "hex11 is played by ubfms with zoo:hex"


def test_every_event_of_the_client_has_one_game() -> None:
    assert len(EVENTS) == sum(len(look.olympiad.events) for look in looks().values())
    assert set(EVENTS) == set(REFEREES), "the whole list of the client"
    page = (Path(__file__).parents[2] / "docs" / "olympiad.md").read_text("utf-8")
    assert [event for event, game in events().items() if f"| `{event}` | `{game}` |" not in page] == []


@pytest.mark.slow
def test_on_a_terminal_with_echo() -> None:
    with Terminal("--seconds", "0.01", "--seed", "1") as first, Terminal("--seconds", "0.01") as second:
        for side in (first, second):
            side.ask("game hex11")
            side.ask("clear_board")
        while (mover := first.ask("player")) != "-1":
            chooser, other = (first, second) if mover == "0" else (second, first)
            for player in "01":
                chooser.ask(f"time_left {player} 100")
            other.ask(f"play {mover} {chooser.ask(f'genmove {mover}')}")
        assert second.ask("player") == "-1"
        assert first.quit() == second.quit() == 0
