"""The directory of an experiment, which can be stopped at any moment and continues where it stopped.

    experiment.toml       the file, as it was when the experiment began
    settings.json         the scale, and what the user has changed
    runs/GAME/NAME/01/    a run directory for each training, with the values of all stages in history/
    trainings.jsonl       a line for each training run that has reached its goal
    games/PLAY.jsonl      a line for each game
    statistics.json, report.md, report.html, figures/      what comes of it

What is done has its line, and is not done again. Games and repetitions can be more when it goes on, or
fewer; nothing else can change.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

from glaux.arena.match import PlayedMatch, random_opening
from glaux.arena.pool import GameJob, derived_seed
from glaux.directories import (
    CHECKPOINTS,
    append_line,
    begun,
    check_head,
    check_same,
    cut_broken_end,
    locked,
    read_lines,
    replace_file,
    write_head,
)
from glaux.errors import InvalidParameter
from glaux.experiments.jobs import PuzzleJob, TrainingJob
from glaux.experiments.pairings import Contestant, GameKey, games_of
from glaux.experiments.plan import Plan, TrainingKey, made
from glaux.experiments.spec import Play
from glaux.learn.run import HISTORY, slug

FILE, SETTINGS, TRAININGS, GAMES, RUNS = (
    "experiment.toml",
    "settings.json",
    "trainings.jsonl",
    "games",
    "runs",
)
KIND, FORMAT = "glaux experiment", 1


class ExperimentDirectory:
    """The directory of one experiment."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path, self.plan = path, plan
        self._trained: dict[TrainingKey, dict[str, Any]] | None = None

    @classmethod
    def open(cls, path: Path, plan: Plan, text: str) -> ExperimentDirectory:
        """A new directory, or that of the same experiment; InvalidFile if it holds something else."""
        if "," in str(path):
            raise InvalidParameter(f"A directory with a comma can't be named in a PLAYER: '{path}'.")
        if begun(path, SETTINGS, "experiment", FILE):
            head = check_head(path / SETTINGS, "an experiment", KIND, FORMAT)
            check_same(path, "experiment", head, plan.description())
        else:
            head = {"kind": KIND, "format": FORMAT, "name": plan.name, **plan.description()}
            replace_file(path / FILE, text.encode())
            write_head(path / SETTINGS, head)
        return cls(path, plan)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """While this lasts no other process works here; InvalidFile if one does."""
        with locked(self.path, "running an experiment"):
            for file in (self.path / TRAININGS, *(self.path / GAMES).glob("*.jsonl")):
                cut_broken_end(file)
            yield

    # Training runs

    def trained(self) -> dict[TrainingKey, dict[str, Any]]:
        """The training runs of the plan that have reached their goal."""
        if self._trained is None:
            wanted, self._trained = set(self.plan.trainings()), {}
            for row in read_lines(self.path / TRAININGS):
                try:
                    key = TrainingKey(row["game"], row["combination"], row["repetition"])
                    stages = row["stages"]
                    whole = len(stages) == self.plan.stages and all(type(one) is int for one in stages)
                except (KeyError, TypeError):
                    continue
                if whole and key in wanted:
                    self._trained[key] = row
        return self._trained

    def training_job(self, key: TrainingKey) -> TrainingJob:
        """A training run to be begun or continued."""
        plan = self.plan
        path = self.run_path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        return TrainingJob(
            str(path), plan.config(key).write(), plan.seconds, plan.matches or None, plan.stages
        )

    def add_training(self, key: TrainingKey, row: dict[str, Any]) -> None:
        """Note a training run that has reached its goal; its checkpoints are no longer needed."""
        line = {**key._asdict(), **row}
        append_line(self.path / TRAININGS, line)
        self.trained()[key] = line
        if not self.plan.whole.scales[self.plan.scale_name].keep_checkpoints:
            shutil.rmtree(self.run_path(key) / CHECKPOINTS, ignore_errors=True)

    def run_path(self, key: TrainingKey) -> Path:
        """The directory of a training run."""
        return self.path / RUNS / slug(key.game) / key.combination / f"{key.repetition:02d}"

    def value_path(self, game: str, one: Contestant) -> Path:
        """The value function of a contestant."""
        key = TrainingKey(game, one.combination, one.repetition)
        match = self.trained()[key]["stages"][one.stage - 1]
        return self.run_path(key) / HISTORY / f"{match:08d}"

    # Games

    def games(self, play: Play) -> dict[GameKey, dict[str, Any]]:
        """The games of a play that have ended; lines that are none of the plan are left out."""
        wanted = {line_key(key): key for key in self.wanted(play)}
        found = {}
        for row in read_lines(self.path / GAMES / f"{play.name}.jsonl"):
            names = ("game", "first", "second", "number", "twists")
            key = wanted.get(json.dumps([row.get(name) for name in names]))
            if key is not None and row.get("outcome") in (-1, 0, 1):
                found[key] = row
        return found

    def wanted(self, play: Play) -> list[GameKey]:
        """All games of a play."""
        games = [game for game in self.plan.games if play in self.plan.plays(game)]
        return [key for game in games for key in games_of(self.plan, play, game)]

    def game_job(self, play: Play, key: GameKey) -> GameJob | PuzzleJob:
        """A game to be played, with seeds of its own."""
        game = made(key.game)
        parts = [self.plan.seed, crc32(play.name.encode()), crc32(line_key(key).encode())]
        first = self._player(play, key.game, key.first)
        if key.second is None:
            scramble = derived_seed(self.plan.seed, crc32(key.game.encode()), key.twists, key.number)
            return PuzzleJob(game, first, key.twists, derived_seed(*parts, 1), scramble)
        # Both colours of a pair, and all pairs, begin with the same openings.
        seed = derived_seed(self.plan.seed, crc32(key.game.encode()), key.number)
        opening = tuple(random_opening(game, play.opening, seed)) if play.opening else ()
        players = first, self._player(play, key.game, key.second)
        return GameJob(game, players, (derived_seed(*parts, 1), derived_seed(*parts, 2)), opening)

    def _player(self, play: Play, game: str, one: Contestant) -> str:
        texts = dict(play.players) | dict(play.against) | dict(play.opponents)
        text = texts[one.player].replace("{limit}", play.limit)
        if one.combination:
            text = text.replace("{agent}", self.plan.experiment.combination(one.combination).agent)
            text = text.replace("{value}", str(self.value_path(game, one)))
        return re.sub(r"[,:]+$", "", text)  # an empty limit at its end

    def add_games(self, play: Play, ended: list[tuple[GameKey, PlayedMatch]]) -> None:
        """Write the lines of games."""
        (self.path / GAMES).mkdir(exist_ok=True)
        for key, record in ended:
            append_line(self.path / GAMES / f"{play.name}.jsonl", _line(key, record))


def line_key(key: GameKey) -> str:
    """What a line of a game is found by."""
    second = None if key.second is None else str(key.second)
    return json.dumps([key.game, str(key.first), second, key.number, key.twists])


def _line(key: GameKey, record: PlayedMatch) -> dict[str, Any]:
    solved = record.outcome > 0
    return {
        "game": key.game,
        "first": str(key.first),
        "second": None if key.second is None else str(key.second),
        "number": key.number,
        "twists": key.twists,
        "outcome": record.outcome if key.second is not None else (1 if solved else -1),
        "seconds": [round(seconds, 6) for seconds in record.seconds],
        "choices": list(record.choices),
        "actions": record.actions,
        **({"forfeit": record.forfeit} if record.forfeit else {}),
    }
