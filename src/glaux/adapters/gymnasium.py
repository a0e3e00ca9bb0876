"""Games of one player as Gymnasium environments: ``PuzzleEnv("rubik2", twists=3)``.

An observation is the planes of the state, ``info["action_mask"]`` says what is legal, and the reward comes at
the end: the outcome, or the score of a game that is played for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from glaux import _core
from glaux.errors import InvalidParameter, MissingExtra
from glaux.rules.game import Game, State
from glaux.rules.registry import make

try:
    import gymnasium
    from gymnasium import spaces
except ImportError:
    raise MissingExtra("This adapter needs Gymnasium: pip install 'glaux[adapters]'") from None


class PuzzleEnv(gymnasium.Env):  # type: ignore[misc,type-arg,unused-ignore]
    """A game of one player; every match begins ``twists`` random steps from the start."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(self, game: str | Game, twists: int = 0, render_mode: str | None = None) -> None:
        self.game = make(game) if isinstance(game, str) else game
        spec = self.game.spec
        if spec.players != 1:
            raise InvalidParameter(
                f"{spec.title} is not a game for one player: use glaux.adapters.pettingzoo."
            )
        self.game.scramble(twists)
        self.twists, self.render_mode = twists, render_mode
        high = float(np.finfo(np.float32).max)
        planes = (len(spec.planes), spec.plane_rows, spec.plane_columns)
        self.observation_space = spaces.Box(-high, high, planes, np.float32)
        self.action_space = spaces.Discrete(spec.action_count)
        self._state: State = self.game.initial()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Begin a match; the seed decides about the scramble."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(2**63))
        self._state = self.game.scramble(self.twists, drawn) if self.twists else self.game.initial()
        return self._observed()

    def step(self, action: int) -> tuple[npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play an action; an illegal one changes nothing, costs a point and is said in the info."""
        if not self._mask()[action]:
            planes, info = self._observed()
            return planes, -1.0, False, False, info | {"illegal": True}
        self._state = self.game.apply(self._state, int(action))
        over = self.game.terminal(self._state)
        planes, info = self._observed()
        return planes, self._reward() if over else 0.0, over, False, info

    def render(self) -> Any:
        """The board as text."""
        return str(self._state) if self.render_mode == "ansi" else None

    def _reward(self) -> float:
        if self.game.spec.aim == _core.Aim.score:
            return float(self.game.score(self._state))
        return float(self.game.outcome(self._state) or 0)

    def _mask(self) -> npt.NDArray[np.int8]:
        mask = np.zeros(self.game.spec.action_count, np.int8)
        mask[self.game.actions(self._state)] = 1
        return mask

    def _observed(self) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        return self.game.encode(self._state)[0], {"action_mask": self._mask()}
