"""``glaux.load``: a value function from its directory."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from glaux.directories import CHECKPOINTS, check_sums, checkpoints
from glaux.errors import GlauxError, InvalidFile, InvalidParameter
from glaux.rules.game import Game
from glaux.rules.registry import make
from glaux.values.families import FAMILIES
from glaux.values.ntuple import NTupleNetwork
from glaux.values.saving import HEAD, PART, Saved, read
from glaux.values.value import ValueFunction

KEPT = 4
"""Value functions that players of one process share."""


def load(path: str | Path, game: Game | None = None, *, optimizer: bool = True) -> ValueFunction:
    """The value function in a directory that ``value.save`` has written, or the newest of a run.

    With ``game`` it must be of that game, and of these parameters: InvalidFile otherwise. A game
    that is not registered here, such as a class of rules of yours, has to be given. Without
    ``optimizer`` it does not go on learning as if it had not stopped, and is read faster.
    """
    path = find(Path(path))
    saved = read(path, optimizer=optimizer)
    family, game = _family(path, saved), _game(path, saved, game)
    try:
        value = family.make(game, saved.settings)
        value.restore(saved.weights, saved.optimizer)
    except (GlauxError, TypeError, ValueError) as error:
        raise InvalidFile(f"'{path}' is not a whole value function of Glaux: {error}") from None
    value.heuristic = saved.heuristic
    value.learned = saved.learned
    value.history = saved.history
    return value


def load_to_play(path: Path, game: Game, symmetries: int = 0) -> ValueFunction:
    """The value function in a directory, the same one for all who only ask it.

    With ``symmetries`` an n-tuple network looks through so many of them
    (:meth:`NTupleNetwork.seen_through`), else through those that it learned with.

    A contest makes its players anew for each game, and reading large tables takes longer than many a
    game does. It is read again when the directory has changed.
    """
    folder = find(path)
    head = folder / HEAD
    return _read_once(folder, head.read_bytes() if head.is_file() else b"", game, symmetries)


@lru_cache(maxsize=KEPT)
def _read_once(folder: Path, _head: bytes, game: Game, symmetries: int) -> ValueFunction:
    value = load(folder, game, optimizer=False)
    if not symmetries:
        return value
    if not isinstance(value, NTupleNetwork):
        raise InvalidParameter(f"'{folder}' is no n-tuple network: it has no symmetries to look through.")
    return value.seen_through(symmetries)


def find(path: Path) -> Path:
    """The directory of the value function itself: of one with checkpoints, that of the newest."""
    if not (path / CHECKPOINTS).is_dir():
        return path
    whole = checkpoints(path)
    if not whole:
        raise InvalidFile(f"The run '{path}' has no checkpoint yet.")
    check_sums(whole[-1], f"{PART}/{HEAD}")  # which has those of the other files
    return whole[-1] / PART


def _family(path: Path, saved: Saved) -> type[ValueFunction]:
    if saved.family not in FAMILIES:
        raise InvalidFile(f"'{path}' holds a value function of the unknown family '{saved.family}'.")
    return FAMILIES[saved.family]


def _game(path: Path, saved: Saved, game: Game | None) -> Game:
    if game is None:
        try:
            return make(saved.game)
        except GlauxError:
            raise InvalidFile(
                f"'{path}' holds a value function of {saved.game}, a game that can't be made here: "
                "give it yourself, as in glaux.load(path, game)."
            ) from None
    if game.rules_text == saved.game:
        return game
    try:
        learned = make(saved.game)
    except GlauxError:
        learned = None
    if learned is None or not game.same_rules(learned):
        raise InvalidFile(f"'{path}' holds a value function of {saved.game}, not of {game.text}.")
    return game.encoded_as(learned)
