"""Programs of others as players: matches with real engines and with ourselves, and every way to fail."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

import glaux
from glaux.arena.contest import Contest, Standing, play_contest
from glaux.arena.match import play_match
from glaux.errors import EngineError, Forfeit, InvalidParameter, InvalidState
from glaux.players.engine_players import ENGINES, split_text
from glaux.players.engines import EnginePlayer
from glaux.players.gtp import GtpPlayer
from glaux.players.registry import make_player
from glaux.players.uci import UciPlayer
from glaux.protocols.gtp import ask
from glaux.protocols.process import EngineProcess
from glaux.protocols.uci import DIALECTS, dialects_of
from glaux.rules.game import Game
from tests.boards import GAMES, small_game
from tests.protocols import fake_speaker
from tests.protocols.fake_speaker import SPEECHES
from tests.protocols.matches import random_match
from tests.protocols.sessions import FAKE, assert_ends, needs_fairy, needs_gnu_go, needs_rhino, on_linux

pytestmark = on_linux

FOUR = "connect_four:rows=4,columns=4,length=3"
SPEAKER = f"{sys.executable} {Path(fake_speaker.__file__)}"
GLAUX = str(Path(sys.executable).with_name("glaux"))


@contextmanager
def engine(text: str, game: Game) -> Iterator[EnginePlayer]:
    """A player whose processes are gone at the end."""
    player = make_player(text, game, 1)
    assert isinstance(player, EnginePlayer)
    with closing(player):
        yield player
        session = player.process.pid if player.process else None
    if session:
        assert_ends(session)


# Texts


@pytest.mark.parametrize(
    "text, parts",
    [
        ("gnugo --mode gtp", ("", "gnugo --mode gtp")),
        ("a:b,c=d e", ("", "a:b,c=d e")),
        ("command=x", ("", "x")),
        ("timeout=3,forfeit=true,command=x --a=1,2 b:c", ("timeout=3,forfeit=true", "x --a=1,2 b:c")),
        ("env command=x y", ("", "env command=x y")),
    ],
)
def test_a_command_may_contain_anything(text: str, parts: tuple[str, str]) -> None:
    assert split_text(text) == parts


def test_settings_are_read() -> None:
    game = glaux.make("hex:size=4")
    player = make_player("gtp:timeout=3,seconds=0.5,setup=a b;c,command=sh -c 'x y'", game, 1)
    assert isinstance(player, GtpPlayer)
    assert player.command[1:] == ["-c", "x y"]
    assert (player.timeout, player.seconds, player.forfeit) == (3, 0.5, False)
    assert player.setup == ["a b", "c"]
    uci = make_player("uci:depth=3,nodes=50,command=sh", glaux.make("breakthrough"), 1)
    assert isinstance(uci, UciPlayer) and uci.limits == "nodes 50 depth 3"
    default = make_player("uci:sh", glaux.make("breakthrough"), 1)
    assert isinstance(default, UciPlayer) and default.limits == "movetime 1000"
    assert {"gtp", "uci"} <= set(ENGINES)


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("gtp", "engine's command is missing"),
        ("gtp:", "engine's command is missing"),
        ("gtp:no-such-program", "There is no program 'no-such-program'"),
        ("gtp:timeot=3,command=sh", "did you mean 'timeout'"),
        ("gtp:timeout=soon,command=sh", "timeout must be a positive number"),
        ("gtp:sh 'x", "can't be read"),
        ("uci:sh", "UCI supports breakthrough"),
    ],
)
def test_texts_that_are_wrong(text: str, sentence: str) -> None:
    with pytest.raises(InvalidParameter, match=sentence):
        make_player(text, glaux.make("hex:size=4"), 1)


LIMITS: dict[str, dict[str, type[float]]] = {
    "aei": {"seconds": float},
    "gtp": {"seconds": float},
    "hub": {"seconds": float},
    "nboard": {"depth": int},
    "uci": {"seconds": float, "nodes": int, "depth": int},
}
"""the limits of each protocol besides the timeout"""


@pytest.mark.parametrize("given", ["0", "-1"])
@pytest.mark.parametrize("protocol", ENGINES)
def test_a_limit_of_nothing_is_refused(protocol: str, given: str) -> None:
    game = game_of(protocol)
    for name, kind in {"timeout": float, **LIMITS[protocol]}.items():
        with pytest.raises(InvalidParameter) as caught:
            make_player(f"{protocol}:{name}={given},command=sh", game, 1)
        wanted = "a positive number" if kind is float else "a whole number"
        assert str(caught.value).startswith(f"The setting {name} must be {wanted}")


# Failures

PATIENCE = 120
"""seconds for the answer of a program that has one"""


def hurry(player: EnginePlayer, seconds: float) -> None:
    """Wait long for its start on a busy machine, and not for a move that never comes."""
    begin, decide = player.begin_match, player.decide

    def begin_match(process: EngineProcess) -> None:
        player.timeout = PATIENCE
        begin(process)

    def decide_soon(*asked: Any) -> int:
        player.timeout = seconds
        return decide(*asked)

    player.begin_match = begin_match  # type: ignore[assignment, method-assign]
    player.decide = decide_soon  # type: ignore[assignment, method-assign]


@pytest.mark.slow
@pytest.mark.parametrize(
    "behaviour, sentence",
    [
        ("silent", "did not answer 'genmove black' in time"),
        ("die", "with the status 3.*out of ideas"),
        ("refuse", "refused 'genmove black'"),
        ("illegal", "played 'z99', which is not legal"),
        ("empty", "played '', which is not legal"),
    ],
)
def test_a_failure_ends_the_contest_or_the_match(behaviour: str, sentence: str) -> None:
    game = glaux.make(FOUR)

    with (
        engine(f"gtp:timeout={PATIENCE},command={FAKE} {behaviour}", game) as player,
        pytest.raises(EngineError, match=sentence),
    ):
        if behaviour == "silent":
            hurry(player, 1)
        play_match(game, player, make_player("random", game, 1))
    with engine(f"gtp:timeout={PATIENCE},forfeit=true,command={FAKE} {behaviour}", game) as player:
        if behaviour == "silent":
            hurry(player, 1)
        record = play_match(game, player, make_player("random", game, 1))
        assert record.outcome == -1 and record.actions == []
        assert player.process is None  # it is started anew for the next match
        record = play_match(game, make_player("random", game, 1), player)
        assert record.outcome == 1 and len(record.actions) == 1


def test_a_resignation_is_a_loss_and_no_error() -> None:
    game = glaux.make(FOUR)
    with engine(f"gtp:{FAKE} resign 1", game) as player:
        record = play_match(game, player, make_player("random", game, 1))
    assert record.outcome == -1 and len(record.actions) == 2
    assert record.forfeit.endswith("resigned.")
    standing = Standing()
    for index, played in play_contest(Contest(game, ("random", f"gtp:{FAKE} resign"), 2), 1):
        standing.add(index, played)
    assert standing.total.wins == 2
    assert standing.summary()["forfeits"] == [0, 2]


def test_a_failure_in_a_worker_comes_out_and_leaves_nothing() -> None:
    contest = Contest(glaux.make(FOUR), ("random", f"gtp:{FAKE} die"), 4)
    with pytest.raises(EngineError, match="out of ideas"):
        list(play_contest(contest, 2))


@pytest.mark.parametrize(
    "behaviour, sentence",
    [
        ("silent", "did not answer '{asked}.*' in time"),
        ("die", "with the status 3.*out of ideas"),
        ("illegal", "played '.*', which is not legal"),
        ("deaf", "did not answer '.*' in time"),
    ],
)
@pytest.mark.parametrize("protocol", ENGINES)
def test_a_program_that_fails_in_any_protocol(protocol: str, behaviour: str, sentence: str) -> None:
    """The same sentences whatever it speaks, and with ``forfeit=true`` a lost match."""
    game = game_of(protocol)
    command = f"command={SPEAKER} {protocol} {behaviour}"
    player = make_player(f"{protocol}:timeout={0.3 if behaviour == 'deaf' else PATIENCE},{command}", game, 1)
    sentence = sentence.format(asked=SPEECHES[protocol].asked)
    assert isinstance(player, EnginePlayer)
    with closing(player), pytest.raises(EngineError, match=sentence):
        if behaviour == "silent":
            hurry(player, 2)
        play_match(game, player, make_player("random", game, 1))
    if behaviour in ("die", "illegal"):
        with engine(f"{protocol}:timeout={PATIENCE},forfeit=true,{command}", game) as player:
            record = play_match(game, player, make_player("random", game, 1))
            assert record.outcome == -1 and record.actions == []


def game_of(protocol: str) -> Game:
    """A game that programs of this protocol play."""
    for game in map(glaux.make, GAMES):
        with suppress(InvalidParameter):
            make_player(f"{protocol}:sh", game, 1)
            return game
    raise AssertionError(f"{protocol} has no game")


# What an engine is told


def told(player: EnginePlayer) -> list[str]:
    assert player.process
    return ask(player.process, "told", 20).split("|")


def test_an_engine_hears_of_everything() -> None:
    game = glaux.make(FOUR)
    with engine(f"gtp:setup=level 3,seconds=2,command={FAKE} plays 1 2 3", game) as player:
        player.begin()
        state = game.play("4 3")
        assert player.choose(state, [3, 2]) == 0
        assert told(player)[1:] == [
            "level 3",
            "boardsize 4",
            "time_settings 0 2 1",
            "clear_board",
            "play black 4",
            "play white 3",
            "genmove black",
            "told",
        ]
        state = game.play("4 3 1 1")
        assert player.choose(state, [3, 2, 0, 0]) == 1
        assert told(player)[-3:-1] == ["play white 1", "genmove black"]
        assert player.choose(game.play("4 4"), [3, 3]) == 2  # taken back, and played otherwise
        assert told(player)[-5:-1] == ["clear_board", "play black 4", "play white 4", "genmove black"]
        with pytest.raises(InvalidState, match="from the start"):
            player.choose(game.play("4 4"))


def test_turns_of_amazons_are_told_as_one_move() -> None:
    """As Quarry speaks; an engine that answers with single cells is asked for each."""
    game = glaux.make("amazons")
    first, second = ["d1", "d7", "g7"], ["a7", "b7", "c7"]

    def ids(words: list[str]) -> list[int]:
        return [game.parse_action(game.play(words[:i]), word) for i, word in enumerate(words)]

    with engine(f"gtp:{FAKE} plays A7-B7-C7 G1 G2 G3 J7-J6-J5", game) as player:
        player.begin()
        for i in range(3):
            history = ids(first + second[:i])
            assert player.choose(game.play(first + second[:i]), history) == ids(first + second)[-1 - (2 - i)]
        assert told(player)[-3:-1] == ["play white D1-D7-G7", "genmove black"], "asked once"
        words = first + second
        for word in ("g1", "g2", "g3"):
            assert player.choose(game.play(words), ids(words)) == ids([*words, word])[-1]
            words.append(word)
        assert told(player)[-4:-1] == ["genmove white"] * 3
        player.choose(game.play(first), ids(first))  # taken back
        assert told(player)[-4:-1] == ["clear_board", "play white D1-D7-G7", "genmove black"]


# Real ones


@pytest.mark.slow
@needs_rhino
def test_ten_games_of_othello_with_gtp_rhino() -> None:
    contest = Contest(glaux.make("othello"), ("random", "gtp:gtp-rhino"), 10, opening=4)
    standing = Standing()
    passes = 0
    for index, record in play_contest(contest, 2):
        standing.add(index, record)
        state = contest.game.initial()
        for action in record.actions:
            passes += contest.game.action_text(state, action) == "pass"
            state = contest.game.apply(state, action)
        assert contest.game.outcome(state) == record.outcome
    assert standing.total.games == 10
    assert standing.total.losses > standing.total.wins
    assert standing.summary()["forfeits"] == [0, 0]
    assert passes > 0  # some matches have them, and GTP's must not lose count


@needs_rhino
def test_gtp_rhino_has_the_same_rules(seed: int) -> None:
    """Random matches are legal for it too, and it counts the same stones at the end.

    Empty cells are the winner's in its count, as they are not in ours.
    """
    game = glaux.make("othello")
    with engine("gtp:gtp-rhino", game) as player:
        player.begin()
        assert player.process
        for match in range(20):
            ask(player.process, "clear_board", 20)
            for state, action in random_match(game, seed + match):
                text = game.action_text(state, action)
                if text != "pass":
                    colour = "black" if game.first_player(state) else "white"
                    ask(player.process, f"play {colour} {text}", 20)
            end = game.apply(state, action)
            score, empty = game.score(end), int((game.cells(end) == 0).sum())
            expected = f"{'B' if score > 0 else 'W'}+{abs(score) + empty:g}" if score else "0"
            assert ask(player.process, "final_score", 20) == expected


@needs_gnu_go
def test_gnu_go_plays_and_is_told_the_komi() -> None:
    contest = Contest(glaux.make("go:size=5,komi=3.5"), ("gtp:gnugo --mode gtp --level 1", "random"), 2)
    standing = Standing()
    for index, record in play_contest(contest, 1):
        standing.add(index, record)
    assert standing.total.games == 2 and standing.summary()["forfeits"] == [0, 0]
    with engine("gtp:gnugo --mode gtp", contest.game) as player:
        player.begin()
        assert player.process and ask(player.process, "get_komi", 20) == "3.5"


FAIRY = ["breakthrough", "clobber", "clobber:rows=6,columns=5", "xiangqi"]
SPOKEN = [
    (game, name) for game in FAIRY for name, it in DIALECTS.items() if it in dialects_of(glaux.make(game))
]


@needs_fairy
@pytest.mark.parametrize(("game", "dialect"), SPOKEN)
def test_fairy_stockfish_plays(game: str, dialect: str) -> None:
    made = glaux.make(game)
    player = f"uci:dialect={dialect},nodes=2000,command=fairy-stockfish"
    contest = Contest(made, (player, "random"), 2 if game == "xiangqi" else 4, opening=2)
    standing = Standing()
    for index, record in play_contest(contest, 1):
        standing.add(index, record)
    assert standing.total.wins == standing.total.games > 0


@needs_fairy
def test_fairy_stockfish_that_is_told_nonsense() -> None:
    game = glaux.make("breakthrough")
    with engine("uci:depth=1,timeout=120,setup=quit,command=fairy-stockfish", game) as player:
        with pytest.raises(EngineError, match=r"fairy-stockfish (ended|was gone)"):
            player.begin()
        assert player.process is None


@pytest.mark.parametrize("name", ["othello", "hex", "amazons"])
def test_two_processes_of_ours_play_over_pipes(name: str) -> None:
    """Both sides are ``glaux gtp``; tests/engine/test_gtp.py has the other games, without processes."""
    game = small_game(name)
    command = f"gtp:{GLAUX} gtp {game.text}"
    with (
        engine(f"{command} random:seed=1", game) as first,
        engine(f"{command} mcts:iterations=5", game) as second,
    ):
        record = play_match(game, first, second)
    assert not record.forfeit
    assert record.outcome == game.outcome(game.play(texts(game, record.actions)))


def texts(game: Game, actions: list[int]) -> list[str]:
    state, found = game.initial(), []
    for action in actions:
        found.append(game.action_text(state, action))
        state = game.apply(state, action)
    return found


def test_forfeits_are_of_those_who_raise_them() -> None:
    game = glaux.make(FOUR)
    with (
        engine(f"gtp:forfeit=true,command={FAKE} die", game) as player,
        pytest.raises(Forfeit, match="ended when"),
    ):
        player.choose(game.initial())
