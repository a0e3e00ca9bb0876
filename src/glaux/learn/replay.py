"""Experience replay: what is kept of earlier matches, and what of it is learned after each match.

The kinds are ``uniform_replay.py`` (Algorithm 6) and ``stratified_replay.py`` (Algorithm 8);
``replay_memory.py`` is what they share.
"""

from __future__ import annotations

from dataclasses import dataclass

from glaux.errors import InvalidParameter, suggest
from glaux.fields import check_types, setting
from glaux.learn.replay_memory import Replay
from glaux.learn.stratified_replay import StratifiedReplay
from glaux.learn.uniform_replay import OF, UniformReplay
from glaux.values.examples import Layout

__all__ = ["Layout", "Replay", "ReplaySettings", "StratifiedReplay", "UniformReplay"]

REPLAYS = ("stratified", "uniform", "none")


@dataclass(frozen=True)
class ReplaySettings:
    """What is learned after a match (sections 3.1 and 3.2)."""

    kind: str = setting("stratified", "stratified (Algorithm 8), uniform (Algorithm 6), or none")
    mu: int = setting(100, "memory size: matches, or states for uniform replay of states")
    delta: float = setting(3.0, "how often each example is learned, for stratified replay", most=1e6)
    sigma: float = setting(0.05, "share of the memory learned after each match, for uniform replay")
    of: str = setting("matches", "what mu counts, for uniform replay: matches or states")
    memory: int = setting(1024, "megabytes", least=1, most=2**28)

    def __post_init__(self) -> None:
        check_types(self, "[replay]")
        for name, known in (("kind", REPLAYS), ("of", OF)):
            value = getattr(self, name)
            if value not in known:
                raise InvalidParameter(f"There is no replay.{name} '{value}'{suggest(value, known)}")

    def make(self) -> Replay | None:
        """The replay memory; None: only the last match is learned from."""
        memory = self.memory << 20
        if self.kind == "stratified":
            return StratifiedReplay(self.mu, self.delta, memory=memory)
        if self.kind == "uniform":
            return UniformReplay(self.mu, self.sigma, of=self.of, memory=memory)
        return None
