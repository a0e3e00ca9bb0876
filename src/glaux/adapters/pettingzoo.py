"""Every game as a PettingZoo AEC environment: ``env("hex:size=7")``.

The agents are ``first`` and ``second``, in a game of one player only ``first``. An observation has the planes
of the game and a mask of the legal actions, as PettingZoo's classic games have. Rewards come at the end:
the outcome, or the score of a game that is played for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from glaux import _core
from glaux.errors import InvalidAction, MissingExtra
from glaux.rules.game import Game, State
from glaux.rules.registry import make

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise MissingExtra("This adapter needs PettingZoo: pip install 'glaux[adapters]'") from None

AGENTS = ("first", "second")


def env(game: str | Game, render_mode: str | None = None) -> Any:
    """The environment with PettingZoo's usual wrappers, which answer for wrong orders of calls."""
    return wrappers.OrderEnforcingWrapper(GameEnv(game, render_mode))


class GameEnv(AECEnv):  # type: ignore[misc]
    """A game as agents of PettingZoo see it."""

    metadata = {"render_modes": ["ansi"], "name": "glaux_v0", "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, game: str | Game, render_mode: str | None = None) -> None:
        super().__init__()
        self.game = make(game) if isinstance(game, str) else game
        self.render_mode = render_mode
        spec = self.game.spec
        self.possible_agents = list(AGENTS[: spec.players])
        planes = (len(spec.planes), spec.plane_rows, spec.plane_columns)
        high = float(np.finfo(np.float32).max)
        self._observation = spaces.Dict(
            {
                "observation": spaces.Box(-high, high, planes, np.float32),
                "action_mask": spaces.Box(0, 1, (spec.action_count,), np.int8),
            }
        )
        self._action = spaces.Discrete(spec.action_count)
        self._state: State = self.game.initial()

    def observation_space(self, agent: str) -> Any:
        """Planes and the mask of legal actions."""
        return self._observation

    def action_space(self, agent: str) -> Any:
        """The actions of the game, legal or not."""
        return self._action

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; our games have no chance, so that the seed changes nothing."""
        self._state = self.game.initial()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._mover()

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """What an agent sees; an agent that is not to move has no legal action."""
        mask = np.zeros(self.game.spec.action_count, np.int8)
        if agent == self.agent_selection:
            mask[self.game.actions(self._state)] = 1
        return {"observation": self.game.encode(self._state)[0], "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play an action of the agent to move; an illegal one loses the match at once."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        try:
            self._state = self.game.apply(self._state, action)  # type: ignore[arg-type]
        except InvalidAction as error:
            self.infos[agent]["illegal"] = str(error)
            self._end({one: -1.0 if one == agent else 1.0 for one in self.agents})
        else:
            if self.game.terminal(self._state):
                self._end(self._outcome())
            else:
                self.agent_selection = self._mover()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as text."""
        return str(self._state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held."""

    def _mover(self) -> str:
        return AGENTS[0] if self.game.first_player(self._state) else AGENTS[1]

    def _outcome(self) -> dict[str, float]:
        if self.game.spec.aim == _core.Aim.score:
            return {AGENTS[0]: float(self.game.score(self._state))}
        outcome = float(self.game.outcome(self._state) or 0)
        return {agent: outcome if agent == AGENTS[0] else -outcome for agent in self.agents}

    def _end(self, rewards: dict[str, float]) -> None:
        self.rewards = rewards
        self.terminations = dict.fromkeys(self.agents, True)
        # Each agent is stepped once more to be told: first the other one.
        others = [agent for agent in self.agents if agent != self.agent_selection]
        self.agent_selection = others[0] if others else self.agent_selection
