"""Engines as players: what the engines of all protocols share.

The program starts with the first match and ends with the player. Nothing is waited for longer than
``timeout`` seconds. A program that dies, falls silent or plays what is not legal ends the contest
with an EngineError, because its result would mean nothing; with ``forfeit=true`` it loses that match.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from glaux.errors import EngineError, Forfeit, InvalidState
from glaux.fields import LONGEST, setting
from glaux.protocols.process import EngineProcess
from glaux.rules.game import Game, State


@dataclass(frozen=True)
class EngineSettings:
    """What all engines take."""

    timeout: float = setting(60.0, "seconds to wait for an answer", most=LONGEST, positive=True)
    forfeit: bool = setting(False, "an engine that fails loses the game, instead of ending the match")
    setup: str = setting("", "commands to send at the start, separated by ;")


class EnginePlayer(ABC):
    """Plays an engine's moves."""

    def __init__(self, game: Game, command: list[str], settings: EngineSettings) -> None:
        self.game = game
        self.command = command
        self.timeout = settings.timeout
        self.forfeit = settings.forfeit
        self.setup = [line.strip() for line in settings.setup.split(";") if line.strip()]
        self.process: EngineProcess | None = None

    def begin(self) -> None:
        """Start the program if it does not run, and tell it of a new match."""
        try:
            if self.process is None:
                self.process = EngineProcess(self.command)
                self.greet(self.process)
            self.begin_match(self.process)
        except BaseException:
            self.close()
            raise

    def choose(self, state: State, history: Sequence[int] = ()) -> int:
        """Let the program decide."""
        if self.process is None:
            self.begin()
        assert self.process is not None
        try:
            return self.decide(self.process, state, history)
        except EngineError as error:
            self.close()
            if self.forfeit:
                raise Forfeit(str(error)) from None
            raise
        except Forfeit:
            raise
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the program."""
        if self.process is not None:
            self.process.close()
            self.process = None

    @abstractmethod
    def greet(self, engine: EngineProcess) -> None:
        """Speak to a program that has just started."""

    @abstractmethod
    def begin_match(self, engine: EngineProcess) -> None:
        """Tell the program that a match begins."""

    @abstractmethod
    def decide(self, engine: EngineProcess, state: State, history: Sequence[int]) -> int:
        """The program's action; EngineError if it is not legal, Forfeit if the program resigns."""


class TurnPlayer(EnginePlayer):
    """Plays what a program decides whose move is a whole turn, several actions of ours.

    They are played one after the other, as long as the match goes the way that the program wanted.
    """

    planned: list[int]
    """the rest of the turn that the program has chosen"""
    expected: list[int]
    """the history with which it goes on"""

    def __init__(self, game: Game, command: list[str], settings: EngineSettings) -> None:
        super().__init__(game, command, settings)
        self.planned, self.expected = [], []

    def decide(self, engine: EngineProcess, state: State, history: Sequence[int]) -> int:
        """The next action of the turn that it has chosen, or of one that it is asked for."""
        if not self.planned or list(history) != self.expected:
            self.planned = list(self.ask_turn(engine, state, history))
        action = self.planned.pop(0)
        self.expected = [*history, action]
        return action

    @abstractmethod
    def ask_turn(self, engine: EngineProcess, state: State, history: Sequence[int]) -> Sequence[int]:
        """The actions until the turn is over; EngineError if they are not legal."""


def states_of_match(game: Game, state: State, history: Sequence[int]) -> list[State]:
    """The states of a match before each action of its history; InvalidState if it did not begin at the start.

    An engine is told of a match by its actions, all of them.
    """
    states = [game.initial()]
    for action in history:
        states.append(game.apply(states[-1], action))
    if states[-1] != state:
        raise InvalidState(
            "This engine can only play from the start of the game, because it is told all actions."
        )
    return states


def start_of_match(game: Game, state: State, history: Sequence[int]) -> State:
    """The start of a match; InvalidState if its history does not lead from there to the state."""
    return states_of_match(game, state, history)[0]
