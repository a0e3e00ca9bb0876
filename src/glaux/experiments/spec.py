"""What the file of an experiment says, as frozen dataclasses; ``reading.py`` makes them of TOML.

    title, source, about          what is asked, and where the papers ask it
    preset, set                   the training that all combinations share
    [[combination]]               a way to learn: what differs from the others
    [[play]]                      who plays whom with what has been learned, and how it is counted
    [[claim]]                     what the paper found
    [published.PLAY.GAME]         its figures, in percent; the GAME ``mean`` is the mean over all
    [scale.NAME]                  how large all this is: games, repetitions, budget

A scale can change anything of a combination or a play in ``[scale.NAME.combination.NAME]`` and
``[scale.NAME.play.NAME]``; settings under ``set`` are added there, all else is replaced. Names that are
not known are errors which say the nearest known one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from glaux.arena.comparison import MEASURES
from glaux.errors import InvalidParameter, suggest
from glaux.fields import LONGEST, setting

Named = tuple[tuple[str, str], ...]
"""texts by name, in the order of the file"""
MEAN = "mean"
"""in [published]: the mean over the games"""


@dataclass(frozen=True)
class Combination:
    """One way to learn, which is trained on every game."""

    name: str = setting("", "its name in files and claims")
    label: str = setting("", "its name in tables and figures; empty: the same")
    preset: str = setting("", "the preset of its training runs; empty: the scale's or the experiment's")
    presets: Named = setting((), "other presets for some games, by GAME")
    set: tuple[str, ...] = setting((), "settings, as for glaux train --set")
    agent: str = setting("ubfms", "the search that {agent} stands for in a PLAYER")
    only: tuple[str, ...] = setting((), "names of the games it is for; empty: all")

    @property
    def title(self) -> str:
        """For tables and figures."""
        return self.label or self.name

    def is_for(self, game_name: str) -> bool:
        """Whether it is trained on a game."""
        return not self.only or game_name in self.only


@dataclass(frozen=True)
class Play:
    """Who plays whom after the training runs.

    Those who are measured are ``players`` with the values that ``combinations`` have learned. They meet
    ``opponents``, which are the same for all; or ``against`` with the final values of all combinations; or,
    if there are neither, each other, themselves included.
    """

    name: str = setting("", "its name in files and claims")
    title: str = setting("", "the heading of its section in the report")
    players: Named = setting((), "PLAYERs by name; {value}, {agent} and {limit} are filled in")
    against: Named = setting((), "opponents: PLAYERs with the final values of all combinations")
    opponents: Named = setting((), "opponents: PLAYERs that are the same for all combinations")
    combinations: tuple[str, ...] = setting((), "the combinations whose values are measured; empty: all")
    stages: str = setting("final", "final: the last values; all: those of every stage, for curves")
    repetitions: str = setting(
        "all", "all: against opponents of all repetitions; same: of the same repetition"
    )
    rows: str = setting("combinations", "what is compared: combinations, players or both")
    measure: str = setting("wins", f"what is counted: {', '.join(MEASURES)}")
    limit: str = setting("", "what {limit} stands for, such as seconds=1")
    games: int = setting(1, "games per pair with each colour, or puzzles", least=1, most=10**6)
    opening: int = setting(0, "random actions at the start of a game", least=0, most=1000)
    twists: tuple[int, ...] = setting((), "for games for one player, and only for these: twists to solve")
    smooth: int = setting(1, "moving average of the curves, in stages", least=1, most=1000)
    maximum: bool = setting(False, "also draw curves of the best repetition")
    cost: float = setting(0.02, "rough seconds per game, for the time estimate", most=LONGEST)

    @property
    def against_all(self) -> bool:
        """Whether those who are measured meet each other."""
        return not self.against and not self.opponents and self.stages == "final" and not self.twists

    @property
    def headline(self) -> str:
        """For the report."""
        return self.title or self.name


@dataclass(frozen=True)
class Claim:
    """What the paper found: ``better`` is above all of ``than``, or those of ``alike`` differ little."""

    text: str = setting("", "the finding in a sentence")
    play: str = setting("", "the play it is judged by")
    better: str = setting("", "a row of its table")
    than: tuple[str, ...] = setting((), "other rows, or opponents of the play")
    alike: tuple[str, ...] = setting((), "two rows that differ by less than ``within``")
    within: float = setting(5.0, "percentage points that count as no difference", least=0.0, most=100.0)
    games: tuple[str, ...] = setting((), "names of the games it is about; empty: all, on average")
    published: float | None = setting(None, "the paper's difference in percentage points", kind=float)


@dataclass(frozen=True)
class Scale:
    """How large an experiment is."""

    about: str = setting("", "what it is for")
    games: tuple[str, ...] = setting((), "GAMEs")
    repetitions: int = setting(8, "training runs of every combination on every game", least=1, most=10**4)
    minutes: float = setting(0.0, "minutes per training run; 0: limited by matches", least=0, most=1e7)
    matches: int = setting(0, "matches per training run; 0: limited by minutes", least=0, most=10**9)
    stages: int = setting(8, "values kept per training run, evenly spaced", least=1, most=10**4)
    preset: str = setting("", "the preset of all training runs; empty: the experiment's")
    set: tuple[str, ...] = setting((), "settings of all training runs")
    keep_checkpoints: bool = setting(
        False, "keep checkpoints, so that training runs can be continued; takes much disk space"
    )


@dataclass(frozen=True)
class Experiment:
    """What one file says."""

    title: str
    source: str
    about: str
    preset: str
    set: tuple[str, ...]
    combinations: tuple[Combination, ...]
    plays: tuple[Play, ...]
    claims: tuple[Claim, ...]
    published: Mapping[str, Mapping[str, Mapping[str, float]]]
    scales: Mapping[str, Scale]
    changes: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(repr=False)
    """by scale, ``combination NAME`` or ``play NAME``: what the scale changes there"""

    def scale(self, name: str | None = None) -> tuple[str, Scale]:
        """The scale of this name, or the first."""
        known = list(self.scales)
        if name is None:
            name = known[0]
        if name not in self.scales:
            raise InvalidParameter(f"The experiment has no scale '{name}'{suggest(name, known)}")
        return name, self.scales[name]

    def combination(self, name: str) -> Combination:
        """The combination of this name."""
        return next(one for one in self.combinations if one.name == name)


def rows_of(play: Play, combinations: Sequence[Combination]) -> dict[str, str]:
    """The rows that a play compares, by name, with their titles."""
    players = [name for name, _ in play.players]
    chosen = [one for one in combinations if not play.combinations or one.name in play.combinations]
    if play.rows == "players":
        return {name: name for name in players}
    if play.rows == "combinations":
        return {one.name: one.title for one in chosen}
    return {f"{one.name}/{player}": f"{one.title}, {player}" for one in chosen for player in players}
