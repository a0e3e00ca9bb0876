"""All the settings of a training, as small frozen dataclasses that TOML, JSON and the command line share.

Each section is a table of the file: ``[search]``, ``[replay]`` and so on. A setting that is not there
has its default, and a name that is not known is an error that says the nearest one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from glaux.errors import InvalidParameter, suggest
from glaux.fields import check_keys, check_types, from_mapping
from glaux.search.registry import SEARCHES


@dataclass(frozen=True)
class Search:
    """How a match is played: which search, and what it may spend on an action."""

    algorithm: str = "descent"
    """a search of the registry that learns: descent, ubfm, alphabeta, mcts, wrap"""
    seconds: float = 0.0
    """tau: search time for an action; 0: no such limit"""
    iterations: int = 0
    evaluations: int = 0
    """limits that do not depend on the machine's speed; 0: no such limit"""
    completion: bool = True
    c: float = -1.0
    """exploration of mcts and wrap, for values from -1 to 1; below 0: the default of the search"""
    memory: int = 512
    """megabytes of a match's tree"""


@dataclass(frozen=True)
class Selection:
    """How an action is chosen from what the search knows (sections 2.3 and 7)."""

    kind: str = "ordinal"
    """ordinal, epsilon_greedy or softmax"""
    rate: str = "uniform"
    """a number for a fixed rate, annealed (1 to 0 over the training), or uniform: drawn at each decision"""


@dataclass(frozen=True)
class Replay:
    """What is learned after a match (sections 3.1 and 3.2)."""

    kind: str = "stratified"
    """stratified (Algorithm 8), uniform (Algorithm 6), or none: the data of the match alone"""
    mu: int = 100
    """memory: matches, or states for uniform replay of states"""
    delta: float = 3.0
    """how often a datum is learned, for stratified replay"""
    sigma: float = 0.05
    """share of the memory that is learned after a match, for uniform replay"""
    of: str = "matches"
    """what mu counts for uniform replay: matches or states"""
    memory: int = 1024
    """megabytes"""


@dataclass(frozen=True)
class TD:
    """Temporal differences without search (docs/algorithms/td.md): for ``learner = "td"``."""

    epsilon: float = 0.1
    """share of random actions, at the beginning of the training"""
    epsilon_end: float = 0.1
    """and at its end"""
    alpha_end: float = 0.0
    """the alpha of [value] becomes this by a constant factor; 0: it stays"""
    gamma: float = 1.0
    lambda_: float = 0.0
    cut: float = 0.1
    """factors gamma lambda^k of the traces below this count as 0"""
    step_reward: float = 0.0
    """of each action before the last"""
    learn_from_random: bool = True
    """learn from random actions as well"""
    final_to_zero: bool = True
    """final adaptation moves the value of a finished match to 0"""
    initial_share: float = 1.0
    """share of the matches that begin with the initial state"""
    random_least: int = 1
    random_most: int = 1
    """the others begin after so many random actions, or twists of a puzzle"""
    most_plies: int = 0
    """a match is cut off after so many actions; 0: never"""
    wrapper_iterations: int = 0
    """choose actions by the MCTS wrapper with so many iterations; 0: by the best value"""


@dataclass(frozen=True)
class Strength:
    """The curve of strength: some games against a fixed opponent from time to time."""

    opponent: str = "mcts:iterations=1000"
    games: int = 20
    every: float = 60.0
    """seconds of training between two measurements; 0: never"""
    seconds: float = 0.02
    """thinking time for a move of the agent"""
    twists: int = 0
    """in a game of one player: solve states after so many random twists; 0: the initial state"""


@dataclass(frozen=True)
class Config:
    """A training."""

    game: str
    learner: str = "athenan"
    """athenan: search, and learning from its trees; td: temporal differences without search"""
    heuristic: str = "recommended"
    """what terminal states are worth (section 6.2); recommended: what the game names"""
    targets: str = "tree"
    """tree, root or terminal learning (Algorithms 3 to 5)"""
    symmetry: str = "none"
    """symmetric copies of what is learned: none, random or all"""
    batch_size: int = 0
    """pairs that share a learning step; 0: the default of the value function"""
    warm_start: int = 0
    """ends of random matches to learn from before the first match"""
    keep_resolved: int = 0
    """proven states that are kept from match to match"""
    workers: int = 1
    """matches that are played at the same time; 1 is the paper's sequential mode"""
    seed: int = 0
    start_from: str = ""
    """a directory: the value function to begin with, instead of the untrained one of [value]"""
    checkpoint_every: float = 60.0
    """seconds between two checkpoints"""
    value: Mapping[str, Any] = field(default_factory=lambda: {"family": "ntuple"})
    """the value function: its family, and the settings of that family"""
    search: Search = field(default_factory=lambda: Search(seconds=0.1))
    selection: Selection = field(default_factory=Selection)
    replay: Replay = field(default_factory=Replay)
    td: TD = field(default_factory=TD)
    strength: Strength = field(default_factory=Strength)

    def __post_init__(self) -> None:
        _check(self)

    @classmethod
    def read(cls, table: Mapping[str, Any]) -> Config:
        """The configuration in a table as TOML and JSON give it."""
        known = dict(table)
        check_keys(known, [f.name for f in fields(cls)], "A training")
        for name, section in SECTIONS.items():
            if name in known:
                known[name] = from_mapping(section, known[name], f"[{name}]")
        if not isinstance(known.get("value", {}), Mapping):
            raise InvalidParameter("[value] is written as a table of settings.")
        return cls(**known)

    def write(self) -> dict[str, Any]:
        """The same as a table."""
        return asdict(self)

    def with_settings(self, texts: Iterable[str]) -> Config:
        """This configuration with settings changed: ``search.seconds=0.5``, ``seed=3``; the last ones win."""
        table = self.write()
        for text in texts:
            _set(table, text)
        return Config.read(table)


SECTIONS: dict[str, type[Any]] = {
    "search": Search,
    "selection": Selection,
    "replay": Replay,
    "td": TD,
    "strength": Strength,
}
CHOICES = {
    ("learner",): ("athenan", "td"),
    ("targets",): ("tree", "root", "terminal"),
    ("symmetry",): ("none", "random", "all"),
    ("search", "algorithm"): tuple(name for name, entry in SEARCHES.items() if entry.learns),
    ("selection", "kind"): ("ordinal", "epsilon_greedy", "softmax"),
    ("replay", "kind"): ("stratified", "uniform", "none"),
    ("replay", "of"): ("matches", "states"),
}
LEAST = {"batch_size": 0, "warm_start": 0, "keep_resolved": 0, "workers": 1, "seed": 0}


def _check(config: Config) -> None:
    for name, section in SECTIONS.items():
        if not isinstance(getattr(config, name), section):
            raise InvalidParameter(f"[{name}] is written as a table of settings.")
        check_types(getattr(config, name), f"[{name}]")
    for f in fields(config):
        if f.name in ("game", "value", *SECTIONS):
            continue
        value, kind = getattr(config, f.name), type(f.default)
        if not isinstance(value, (kind, int) if kind is float else kind) or isinstance(value, bool):
            raise InvalidParameter(f"The setting {f.name} of a training can't be {value!r}.")
    for path, known in CHOICES.items():
        value = getattr(config, path[0]) if len(path) == 1 else getattr(getattr(config, path[0]), path[1])
        if value not in known:
            raise InvalidParameter(f"There is no {'.'.join(path)} '{value}'{suggest(str(value), known)}")
    for name, least in LEAST.items():
        if getattr(config, name) < least:
            raise InvalidParameter(f"The setting {name} can't be {getattr(config, name)}, below {least}.")
    search = config.search
    if min(search.seconds, search.iterations, search.evaluations) < 0:
        raise InvalidParameter("The limits of [search] can't be negative.")
    if not (search.seconds or search.iterations or search.evaluations):
        raise InvalidParameter("[search] needs a limit: seconds, iterations or evaluations.")
    if search.memory < 1 or config.replay.memory < 1:
        raise InvalidParameter("The memory of [search] and [replay] is at least one megabyte.")


def _set(table: dict[str, Any], text: str) -> None:
    name, equals, value = text.partition("=")
    if not equals:
        raise InvalidParameter(f"A setting is written as name=value, not '{text}'.")
    section, dot, key = name.strip().rpartition(".")
    if dot and section not in (*SECTIONS, "value"):
        raise InvalidParameter(f"There is no section '{section}'{suggest(section, [*SECTIONS, 'value'])}")
    target = table[section] if dot else table
    if section != "value" and (key not in target or key in (*SECTIONS, "value", "game")):
        raise InvalidParameter(f"A training has no setting '{name}'{suggest(name, _names(table))}")
    if name.strip() == "value.family" and target.get("family") != value.strip():
        target.clear()  # the settings of the other family mean nothing to this one
    target[key] = _read_value(value.strip(), target.get(key), name)


def _names(table: Mapping[str, Any]) -> list[str]:
    return [
        f"{section}.{key}" if section in SECTIONS else section
        for section, value in table.items()
        for key in (value if section in SECTIONS else [""])
    ]


def _read_value(text: str, old: Any, name: str) -> Any:
    """The text as the type that the setting has; for a new one of [value], as what it looks like."""
    flags = {"true": True, "false": False}
    if isinstance(old, bool):
        if text.lower() not in flags:
            raise InvalidParameter(f"The setting {name} must be true or false, not '{text}'.")
        return flags[text.lower()]
    if isinstance(old, str):
        return text
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    if old is not None:
        raise InvalidParameter(f"The setting {name} must be a number, not '{text}'.")
    return flags.get(text.lower(), text)
