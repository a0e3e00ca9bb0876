"""TD(lambda) with final adaptation in plain Python, from the paper's equations (4) to (6).

Values are seen by the player who acts, as in the paper. The actions are those that the native learner
recorded; where it did not draw one, the reference checks that it was the best.
"""

from collections import defaultdict
from dataclasses import dataclass

import glaux
from tests.values.reference_ntuple import ReferenceNTuple


@dataclass
class Visited:
    """An afterstate that a player has made; its gradient is that of when it was learned first."""

    state: glaux.State
    slope: float | None = None


@dataclass
class ReferenceTD:
    network: ReferenceNTuple
    gamma: float = 1.0
    lambda_: float = 0.0
    cut: float = 0.1
    step_reward: float = 0.0
    learn_from_random: bool = True
    final_to_zero: bool = True

    def play(self, start: glaux.State, actions: list[int], random: list[bool]) -> None:
        game = self.network.game
        made: dict[bool, list[Visited]] = defaultdict(list)
        state = start
        for action, drawn in zip(actions, random, strict=True):
            p = game.first_player(state)
            if not drawn:
                worths = {a: self.worth(p, game.apply(state, a)) for a in game.actions(state)}
                assert worths[action] >= max(worths.values()) - 1e-4
            state = game.apply(state, action)
            outcome = game.outcome(state)
            if outcome is not None and game.spec.players == 1 and outcome < 0:
                return
            if drawn and not self.learn_from_random:
                made[p].clear()
            else:
                self.adapt(p, made[p], self.worth(p, state))
            if outcome is None:
                made[p].append(Visited(state))
                continue
            if game.spec.players == 2:
                self.adapt(not p, made[not p], self.reward(not p, outcome))
            if self.final_to_zero:
                self.adapt(p, [Visited(state)], 0.0)

    def reward(self, p: bool, outcome: int) -> float:
        return outcome if p else -outcome

    def value(self, p: bool, state: glaux.State) -> float:
        return self.network.value(state) if p else -self.network.value(state)

    def worth(self, p: bool, state: glaux.State) -> float:
        outcome = self.network.game.outcome(state)
        if outcome is not None:
            return self.reward(p, outcome)
        return self.step_reward + self.gamma * self.value(p, state)

    def adapt(self, p: bool, made: list[Visited], target: float) -> None:
        if not made:
            return
        delta = (target - self.value(p, made[-1].state)) / self.network.scale
        made[-1].slope = self.network.slope(made[-1].state)
        factor = 1.0
        for visited in reversed(made):
            if factor < self.cut or visited.slope is None:
                break
            change = delta * factor * visited.slope
            self.network.change(visited.state, change if p else -change)
            factor *= self.gamma * self.lambda_
