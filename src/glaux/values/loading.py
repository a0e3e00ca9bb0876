"""``glaux.load``: a value function from its directory."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from glaux.arrays import all_finite
from glaux.directories import CHECKPOINTS, check_sums, checkpoints
from glaux.errors import GlauxError, InvalidFile, InvalidParameter, Untrusted
from glaux.foreign import JSON_MOST, check_folder, read_foreign
from glaux.rules.game import Game
from glaux.rules.registry import is_named, make, make_foreign, runs_code
from glaux.values.families import FAMILIES
from glaux.values.ntuple import NTupleNetwork
from glaux.values.saving import HEAD, PART, Saved, read
from glaux.values.value import ValueFunction
from glaux.values.zoo import find_agent, is_agent

KEPT = 4
"""Value functions that players of one process share."""


def load(path: str | Path, game: Game | None = None, *, optimizer: bool = True) -> ValueFunction:
    """Load a value function saved by ``value.save``, or the newest of a run.

    ``zoo:othello`` is the agent of a game that ships with the package; ``zoo`` that of ``game``.

    With ``game`` it must belong to that game with these parameters: InvalidFile otherwise. A game
    that is not registered here, such as your own class of rules, has to be given; so do rules in a
    Python file, which are run only if you name them: Untrusted otherwise. Without ``optimizer`` it
    is read faster, but further learning starts with a fresh optimizer state.
    """
    if isinstance(path, str) and is_agent(path):
        path = find_agent(path, game)
    return _of_newest(Path(path), lambda place: _load(place, game, optimizer))


def _of_newest(path: Path, read_place: Callable[[Path], ValueFunction]) -> ValueFunction:
    """What is read from the newest checkpoint; tried again if a training run has removed it meanwhile."""
    while True:
        newest = checkpoints(path)[-1:]
        try:
            return read_place(find(path))
        except (GlauxError, OSError):
            if not newest or newest[0].exists():
                raise


def _load(path: Path, game: Game | None, optimizer: bool) -> ValueFunction:
    saved = read(path, optimizer=optimizer)
    family, game = _family(path, saved), _game(path, saved, game)
    try:
        # Before it is made: no settings can ask for more memory than the file has numbers.
        wanted, found = family.size(game, saved.settings), sum(array.size for array in saved.weights.values())
        if found != wanted:
            raise InvalidParameter(f"It has {found:,} weights, but its settings need {wanted:,}.")
        for name, array in (saved.weights | saved.optimizer).items():
            if not all_finite(array):
                raise InvalidParameter(f"Some numbers of '{name}' are not finite.")
        value = family.make(game, saved.settings)
        value.restore(saved.weights, saved.optimizer)
    except (GlauxError, TypeError, ValueError, KeyError, OverflowError) as error:
        raise InvalidFile(f"'{path}' is not a complete value function of Glaux: {error}") from None
    except MemoryError:
        raise InvalidFile(f"'{path}' is too large for the memory of this machine.") from None
    value.heuristic = saved.heuristic
    value.learned = saved.learned
    value.history = saved.history
    return value


def load_to_play(path: Path, game: Game, symmetries: int = 0) -> ValueFunction:
    """The value function in a directory, the same object for all who only evaluate with it.

    With ``symmetries`` an n-tuple network uses this many of them
    (:meth:`NTupleNetwork.seen_through`), otherwise those that it learned with.

    A contest makes its players anew for each game, and reading large tables takes longer than many a
    game does. It is read again when the directory has changed.
    """

    def read_folder(folder: Path) -> ValueFunction:
        try:
            head = read_foreign(folder / HEAD, JSON_MOST)
        except OSError:
            head = b""
        return _read_once(folder, head, game, symmetries)

    return _of_newest(path, read_folder)


@lru_cache(maxsize=KEPT)
def _read_once(folder: Path, _head: bytes, game: Game, symmetries: int) -> ValueFunction:
    value = load(folder, game, optimizer=False)
    if not symmetries:
        return value
    if not isinstance(value, NTupleNetwork):
        raise InvalidParameter(f"'{folder}' is not an n-tuple network, so it takes no symmetries.")
    return value.seen_through(symmetries)


def find(path: Path) -> Path:
    """The directory of the value function itself: of one with checkpoints, that of the newest."""
    if not (path / CHECKPOINTS).is_dir():
        return path
    whole = checkpoints(path)
    if not whole:
        raise InvalidFile(f"The run '{path}' has no checkpoint yet.")
    check_sums(whole[-1], f"{PART}/{HEAD}")  # which has those of the other files
    return check_folder(whole[-1] / PART)


def _family(path: Path, saved: Saved) -> type[ValueFunction]:
    if saved.family not in FAMILIES:
        raise InvalidFile(f"'{path}' holds a value function of the unknown family '{saved.family}'.")
    return FAMILIES[saved.family]


def _game(path: Path, saved: Saved, game: Game | None) -> Game:
    if game is None:
        try:
            return make_foreign(
                saved.game, "glaux.load(path, glaux.make('my_game.py')) in Python, --rules {} in a command."
            )
        except Untrusted as error:
            raise Untrusted(f"'{path}' holds a value function of {saved.game}: {error}") from None
        except GlauxError:
            raise InvalidFile(
                f"'{path}' holds a value function of {saved.game}, a game that Glaux can't make itself: "
                "pass the game, as in glaux.load(path, game)."
            ) from None
    if not is_named(game, saved.game):
        raise InvalidFile(f"'{path}' holds a value function of {saved.game}, not of {game.text}.")
    return (
        game if game.rules_text == saved.game or runs_code(saved.game) else game.encoded_as(make(saved.game))
    )
