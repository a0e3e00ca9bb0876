"""Texts that people write and other programs send: records, SGF, GTP, UCI, games and players."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

from glaux.engine.gtp import GtpEngine
from glaux.engine.serving import serve
from glaux.errors import EngineError, Forfeit
from glaux.players.gtp import GtpPlayer, GtpSettings
from glaux.players.player import Player
from glaux.players.registry import make_player
from glaux.players.uci import UciPlayer, UciSettings
from glaux.protocols.gtp import ReplyReader
from glaux.protocols.uci import notation_of, parse_perft_move, parse_variants, variant_of
from glaux.records.files import load_records
from glaux.records.record import Record
from glaux.records.sgf import write_sgf
from glaux.records.text import write_text
from glaux.rules.game import Game
from glaux.rules.registry import games, make
from tests.fuzz.target import refused, scratch, target

SMALL = (
    "hex:size=4",
    "othello:size=4",
    "connect_four",
    "breakthrough:rows=5,columns=5",
    "santorini",
)


@cache
def game_of(text: str) -> Game:
    return make(text)


def played(text: str, plies: int, seed: int = 0) -> Record:
    """A random match, or its beginning."""
    record = Record(game_of(text).initial(), ("random", 'a "name"'))
    while plies > 0 and record.outcome is None:
        actions = record.game.actions(record.state)
        record.play(actions[(seed * 7919 + plies * 31) % len(actions)])
        plies -= 1
    return record


def _split(data: bytes) -> tuple[int, bytes]:
    return (data[0], data[1:]) if data else (0, b"")


# Records


def _record_seeds() -> list[bytes]:
    return [write_text(played(text, plies)).encode() for text in games() for plies in (0, 3, 40)]


def _read_twice(name: str, data: bytes, write: Any) -> None:
    path = scratch() / name
    path.write_bytes(data)
    with refused():
        records = load_records(path)
        for record in records:
            path.write_bytes(write(record))
            (again,) = load_records(path)
            assert (again.actions, again.players, again.result) == (
                record.actions,
                record.players,
                record.result,
            )
            assert again.states == record.states


@target(
    '[Game "',
    '[Start "',
    '[Result "1-0"]',
    '[Opening "',
    "Record:",
    "1.",
    "1/2-1/2",
    "{",
    "}",
    "pass",
    "\\u0000",
    *(f'"{text}' for text in SMALL),
    seeds=_record_seeds,
)
def record_text(data: bytes) -> None:
    if b".py" in data or b"open_spiel" in data:
        return  # rules of somebody else, which are refused or are their own matter
    _read_twice("record.txt", data, lambda record: write_text(record).encode())


def _sgf_seeds() -> list[bytes]:
    return [
        write_sgf(played(text, plies)) for text in ("hex:size=5", "othello:size=6") for plies in (0, 5, 60)
    ]


@target(
    "(;FF[4]",
    "GM[11]",
    "GM[2]",
    "GM[1]",
    "SZ[6]",
    "SZ[5:5]",
    ";B[a1]",
    ";W[",
    "swap-pieces",
    "RU[no swap]",
    "RE[B+",
    "AB[d5]",
    "AW[d4]",
    "AE[",
    "resign",
    "B[tt]",
    "\\]",
    seeds=_sgf_seeds,
)
def record_sgf(data: bytes) -> None:
    _read_twice("record.sgf", data, write_sgf)


# GTP: as an engine, and answers of other engines


def _player(game: Game) -> Player:
    return make_player("mcts:iterations=4,memory=1M", game, 1)


def _gtp_seeds() -> list[bytes]:
    engine = GtpEngine(game_of(SMALL[0]), _player, "Glaux", "0")
    every = "\n".join(engine.commands)
    match = "boardsize 4\nplay black a1\ngenmove white\nundo\nshowboard\nfinal_score\ntime_left b 5 1\n"
    return [
        bytes([i]) + text.encode() for i in range(len(SMALL)) for text in (every, match, f"12 {match}# x")
    ]


@target(
    "boardsize ",
    "play b ",
    "genmove w\n",
    "reg_genmove b\n",
    "undo\n",
    "time_settings 1 1 1\n",
    "time_left b 1 1\n",
    "set_game ",
    "komi 6.5\n",
    "known_command ",
    "quit\n",
    "clear_board\n",
    "glaux-values\n",
    "all_legal_moves\n",
    "showboard\n",
    "final_score\n",
    "pass",
    "swap",
    "resign",
    "a1",
    "b2",
    "c3d4",
    seeds=_gtp_seeds,
)
def gtp_engine(data: bytes) -> None:
    which, commands = _split(data)
    lines = commands.splitlines(keepends=True)[:40]
    answers = io.BytesIO()
    engine = GtpEngine(game_of(SMALL[which % len(SMALL)]), _player, "Glaux", "0")
    engine.session.set_time(0.001, 0, 0)  # whoever asks for seconds gets none
    serve(engine, io.BytesIO(b"".join(lines)), answers)
    replies = answers.getvalue().decode("utf-8")
    for reply in filter(None, replies.split("\n\n")):
        assert reply.lstrip("\n").startswith(("=", "?")), reply


class _Engine:
    """A program that says the lines of an input, whatever it is asked."""

    name = "engine"

    def __init__(self, said: bytes) -> None:
        self.lines = said.decode("utf-8", "replace").split("\n")

    def send(self, line: str) -> None:
        pass

    def read_line(self, deadline: float, question: str) -> str:
        if not self.lines:
            raise self.failure(f"ended when it was asked '{question}'")
        return self.lines.pop(0).rstrip("\r")

    def failure(self, what: str) -> EngineError:
        return EngineError(f"The program {self.name} {what}.")

    def close(self, farewell: str = "quit") -> None:
        pass


def _let_decide(player: GtpPlayer | UciPlayer, said: bytes) -> None:
    engine: Any = _Engine(said)
    player.process = engine
    record = Record(player.game.initial())
    try:
        with refused():
            player.greet(engine)
            player.begin_match(engine)
            while record.outcome is None and len(record.actions) < 20:
                record.play(player.choose(record.state, record.actions))
    except Forfeit:
        pass


def _answer_seeds() -> list[bytes]:
    return [
        bytes([i]) + b"= list_commands\nset_game\n\n=\n\n=\n\n= \n\n" + b"= a1\n\n= b2\n\n" * 4
        for i in range(6)
    ]


@target(
    "=\n\n",
    "= a1\n\n",
    "? no\n\n",
    "= resign\n\n",
    "= pass\n\n",
    "= swap-pieces\n\n",
    "set_game",
    seeds=_answer_seeds,
)
def gtp_answers(data: bytes) -> None:
    which, said = _split(data)
    reader = ReplyReader()
    for line in said.decode("utf-8", "replace").split("\n"):
        reader.feed(line)
    _let_decide(GtpPlayer(game_of(SMALL[which % len(SMALL)]), ["engine"], GtpSettings()), said)


UCI_GAME = "breakthrough"


def _uci_seeds() -> list[bytes]:
    hello = f"option name UCI_Variant type combo var {variant_of(game_of(UCI_GAME))}\nuciok\nreadyok\n"
    return [hello.encode() + b"info depth 1\nbestmove a2a3\nbestmove a7a6\n", b"a2a3: 1\n\nNodes searched: 1"]


@target(
    "option name UCI_Variant",
    " var breakthrough",
    "uciok\n",
    "readyok\n",
    "bestmove a2a3\n",
    "a2a3: 1",
    "info ",
    "(none)",
    seeds=_uci_seeds,
)
def uci_answers(data: bytes) -> None:
    game = game_of(UCI_GAME)
    for line in data.decode("utf-8", "replace").split("\n"):
        parse_variants(line)
        parse_perft_move(line)
    state = game.initial()
    notation = notation_of(game)
    assert notation.write_position(state).count("/") == 7
    assert len(notation.moves(state)) == len(game.actions(state))
    _let_decide(UciPlayer(game, ["engine"], UciSettings()), data)


# Games, states and players as a user writes them


def _name_seeds() -> list[bytes]:
    texts = [game_of(name).text for name in games()] + list(SMALL)
    states = [f"{name}\n{game_of(name).state_text(game_of(name).initial())}" for name in games()]
    return [text.encode() for text in (*texts, *states)]


@target(
    "size=",
    "rows=",
    "columns=",
    "mobility=true",
    "swap=false",
    ",",
    ":",
    "=",
    "(",
    ")",
    *games(),
    seeds=_name_seeds,
)
def game_text(data: bytes) -> None:
    name, _, state_text = data.decode("utf-8", "surrogateescape").partition("\n")
    if ".py" in name or "open_spiel" in name:
        return
    with refused():
        game = make(name)
        assert make(game.text) == game
        state = game.parse_state(state_text) if state_text else game.initial()
        assert game.parse_state(game.state_text(state)) == state
        str(state)
        for action in game.actions(state)[:3]:
            assert game.parse_action(state, game.action_text(state, action)) == action


def _player_seeds() -> list[bytes]:
    return [
        text.encode()
        for text in (
            "random:seed=3",
            "mcts:iterations=1000,c=0.4",
            "ubfms:seconds=1,memory=500M",
            "alphabeta:depth=4",
            "descent:evaluations=10,heuristic=depth",
            "mcts:playouts=3000000000",
            "uct:leaf=children",
            "uct:playouts=2",
        )
    ]


@target(
    "iterations=",
    "seconds=",
    "evaluations=",
    "memory=1M",
    "depth=",
    "playouts=",
    "seed=",
    "heuristic=",
    "value=",
    "symmetries=",
    "ubfms:",
    "mcts:",
    "alphabeta:",
    "descent:",
    "random:",
    "puct:",
    "true",
    "nan",
    "inf",
    "1e9",
    seeds=_player_seeds,
)
def player_text(data: bytes) -> None:
    which, text = _split(data)
    with refused():
        player = make_player(text.decode("utf-8", "surrogateescape"), game_of(SMALL[which % len(SMALL)]), 0)
        player.close()
