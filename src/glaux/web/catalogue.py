"""What a client may choose from: the games, and the players of a game.

A client names things and never says where they are: games come from the registry and from the
command line of the server, players from the registry of searches and from the runs that the server
found. No text of a client becomes a path or a command.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from glaux import _core
from glaux.errors import GlauxError, InvalidFile, InvalidParameter, UnknownName, suggest
from glaux.looks.finding import look_named, look_of
from glaux.looks.look import KINDS
from glaux.players.registry import search_of
from glaux.records.sgf import has_sgf
from glaux.rules.drawing import row_label
from glaux.rules.game import Game, written
from glaux.rules.registry import games, is_named, make, make_named, parse_game, runs_code
from glaux.search.door import Value
from glaux.search.registry import (
    SEARCHES,
    VALUES,
    Entry,
    find_search,
    heuristic_of,
    make_search,
    offered,
)
from glaux.search.search import Search
from glaux.values.loading import find, load
from glaux.values.value import ValueFunction
from glaux.values.zoo import WORD, find_agent, has_agent, read_card
from glaux.web.editing import can_edit
from glaux.web.looks import page_look
from glaux.web.models import GAME_TEXT
from glaux.web.runs import Runs
from glaux.web.selfplay import opened

RUN = "run:"
"""what the name of a player begins with if it has learned in a run"""
FIRST = "mcts"
"""the search that a client sees chosen, where nothing has learned"""
VALUES_KEPT = 8
"""value functions in memory"""


class Thinking(NamedTuple):
    """A search, and the value that counts as large."""

    search: Search
    scale: float


class Catalogue:
    """The games and players that this server offers."""

    def __init__(self, runs: Runs, extra_games: Sequence[str] = (), threads: int = 1) -> None:
        self.runs = runs
        self.threads = threads
        """of each search that can have several"""
        self._extra: dict[str, Game] = {}
        for text in extra_games:
            game = make(text)
            self._extra[game.spec.name] = game
        self._made = lru_cache(maxsize=64)(self._make)
        self._values = lru_cache(maxsize=VALUES_KEPT)(load)
        self._loading = Lock()

    # Games

    def games(self) -> list[dict[str, Any]]:
        """Every game with its parameters, in the order of ``glaux games``."""
        kinds = list(KINDS)
        registered = [info for info in _core.registry() if info.name not in self._extra]
        registered.sort(key=lambda info: kinds.index(look_named(info.name).kind))
        infos = {info.name: info for info in registered}
        listed = [
            {
                "name": name,
                "title": info.title,
                "summary": info.summary,
                "parameters": _parameters(info),
                "look": page_look(look_named(name)),
            }
            for name, info in infos.items()
        ]
        others = {name: make(name) for name in games() if name not in infos} | self._extra
        return listed + [
            {
                "name": name,
                "title": game.spec.title,
                "summary": "",
                "parameters": [],
                "look": page_look(look_of(game)),
            }
            for name, game in others.items()
        ]

    def game(self, text: str) -> Game:
        """The game of a client's text; UnknownName or InvalidParameter with a sentence otherwise."""
        if len(text) > GAME_TEXT:
            raise InvalidParameter(f"The text of a game has at most {GAME_TEXT} characters.")
        name, settings = parse_game(text)
        settings.pop("mobility", None)  # changes the states and not the game
        return self._made(name, tuple(sorted(settings.items())))

    def trainable(self, text: str) -> Game:
        """A game that a process of its own can make by its text: none whose rules are a Python file."""
        game = self.game(text)
        if game.spec.name in self._extra:
            raise InvalidParameter("The rules of this game are a Python file: train it with glaux train.")
        return game

    def _make(self, name: str, settings: tuple[tuple[str, str], ...]) -> Game:
        if name in self._extra:
            return self._extra[name]
        known = [*games(), *self._extra]
        if name not in known:
            raise UnknownName(f"There is no game '{name}'{suggest(name, known)}")
        return make_named(name, dict(settings))

    def describe(self, game: Game) -> dict[str, Any]:
        """What the page needs to know of a game before any position of it."""
        spec, board = game.spec, game.spec.board
        return {
            "game": self.text(game),
            "name": spec.name,
            "title": spec.title,
            "players": spec.players,
            "aim": spec.aim.name,
            "parameters": dict(game.parameters),
            "rows": board.rows,
            "columns": board.columns,
            "row_names": [row_label(board, row) for row in range(board.rows)],
            "column_names": [board.column_text(column) for column in range(board.columns)],
            "absent": [cell for cell in range(board.rows * board.columns) if not board.has(cell)],
            "boards": [
                {"row": part.row, "column": part.column, "rows": part.rows, "columns": part.columns}
                for part in board.boards
            ],
            "symbols": list(spec.symbols),
            "sgf": has_sgf(game),
            "editable": can_edit(game),
            "look": page_look(look_of(game), board),
            "opponents": self.players(game),
        }

    def text(self, game: Game) -> str:
        """The text by which clients name a game."""
        return game.spec.name if game.spec.name in self._extra else game.text

    # Players

    def players(self, game: Game) -> list[dict[str, str]]:
        """The players of a game: those that have learned it first, and of these the one in the box."""
        agent = [
            {
                "name": WORD,
                "title": "Glaux",
                "summary": f"the agent that ships with Glaux; it taught itself {game.spec.title}",
            }
        ]
        learned = [
            {"name": RUN + run.name, "title": run.name, "summary": f"taught itself {run.game}"}
            for run in self.runs.listed()
            if run.ready and self._same(run.game, game)
        ]
        searches = [
            {"name": entry.name, "title": entry.title, "summary": entry.summary}
            for entry in sorted(offered(), key=lambda entry: entry.name != FIRST)
        ]
        rest = [
            *learned,
            *searches,
            {"name": "random", "title": "Random", "summary": "a random legal action"},
        ]
        return [*agent, *rest] if has_agent(game) else rest

    def run_match(self, name: str, number: int) -> dict[str, Any]:
        """A match that a run has played against itself, as moves."""
        text = self.runs.game_text(name)
        named = next((game for game in self._extra.values() if is_named(game, text)), None)
        if named is None and runs_code(text):
            raise UnknownName("The rules of this run are a Python file: start the server with --game.")
        game = named or self.game(text)
        return {"game": self.text(game)} | opened(self.runs.path(name), number, game)

    def _same(self, text: str, game: Game) -> bool:
        """Whether a run is of a game; its text is that of a file, and no code that it names is run."""
        if runs_code(text):
            return len(text) <= GAME_TEXT and is_named(game, text)
        try:
            return self.game(text).same_rules(game)
        except GlauxError:
            return False

    def search(self, game: Game, player: str, memory: int, seed: int) -> Thinking:
        """The search of a player by its name; UnknownName or InvalidFile with a sentence otherwise."""
        if player.startswith(RUN):
            path = self.runs.path(player.removeprefix(RUN))
            value: Value = self._value(path, game)
            entry = SEARCHES[search_of(path)]
        elif player == WORD:
            value = self._value(find_agent(WORD, game), game)
            entry = find_search(read_card(game.name).search)
        else:
            entry = self._offered(player)
            value = VALUES["playouts"](entry.offered, seed)
        heuristic = heuristic_of(value, game)
        options = {"memory": memory, "seed": seed}
        if "threads" in entry.option_names:
            options["threads"] = self.threads
        return Thinking(make_search(entry, game, value, options, heuristic), heuristic.scale)

    def _offered(self, player: str) -> Entry:
        found = {entry.name: entry for entry in offered()}
        if player not in found:
            raise UnknownName(f"There is no player '{player}'{suggest(player, [*found, 'random'])}")
        return found[player]

    def _value(self, run: Path, game: Game) -> ValueFunction:
        """The newest value function of a run: its checkpoint may be replaced while this looks."""
        with self._loading:
            for attempt in range(3):
                try:
                    return self._values(find(run), game)
                except InvalidFile:
                    if attempt == 2:
                        raise
        raise AssertionError


def _parameters(info: _core.GameInfo) -> list[dict[str, Any]]:
    return [
        {
            "name": parameter.name,
            "default": written(parameter, parameter.default_value),
            "low": written(parameter, parameter.low),
            "high": written(parameter, parameter.high),
            "step": written(parameter, 1),
            "flag": parameter.flag,
            "help": parameter.help,
        }
        for parameter in info.parameters
        if not parameter.encoding
    ]
