"""A network with a value and a policy: what AlphaZero and ExIt learn.

The policy is over the legal actions of a state alone: the network has a number for each action of the game,
and those of the illegal ones are left out before the softmax, in learning and in play. A search that asks for
priors (``glaux.search.door``) gets both from one evaluation; to all others it is a network like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from glaux import _core
from glaux.errors import BrokenValue, InvalidParameter, suggest
from glaux.fields import setting
from glaux.rules.batch import Answer, Batch
from glaux.rules.game import Game, State, StateArray
from glaux.values.examples import POLICIES, STATES, VALUES, Examples
from glaux.values.networks.adam import Adam
from glaux.values.networks.architecture import NO_POLICY, ActionShape, Architecture
from glaux.values.networks.network import ENCODED, NetworkSettings, NeuralNetwork
from glaux.values.networks.places import Places, find_places
from glaux.values.policies import Policies, in_rows, is_legal, weights_of
from glaux.values.settings import ValueSettings, family_setting
from glaux.values.value import Errors, Values

LOSSES = ("squares", "likelihood", "policy")
"""those of ``losses.py``, which needs the extra"""


@dataclass(frozen=True)
class PolicySettings(NetworkSettings):
    """The section [value] of a training run with a policy: a network by name, and what differs from it."""

    family: str = family_setting("policy")
    architecture: str = setting("small-policy", "the network's name in docs/algorithms/networks.md")
    policy: str | None = setting(None, "dense, direct, convolutional or pointwise", kind=str)
    policy_filters: int | None = setting(
        None, "filters of a pointwise policy's 1x1 convolution", kind=int, most=65536
    )
    loss: str = setting(
        "squares",
        "the loss: squares, as in AlphaZero; likelihood, as in ExIt; policy, of the policy alone",
    )

    def begin(self, game: Game, *, scale: float, bounded: bool, seed: int) -> PolicyNetwork:
        """The untrained network."""
        return PolicyNetwork(game, **self._beginning(scale, bounded, seed), loss=self.loss)


class PolicyNetwork(NeuralNetwork):
    """A network of one of the papers' architectures for one game, with a policy.

    Like :class:`NeuralNetwork`; ``loss`` is what its learning steps minimize (``losses.py``).
    """

    family: ClassVar[str] = "policy"
    title: ClassVar[str] = "A policy network"
    settings_type: ClassVar[type[ValueSettings]] = PolicySettings
    columns: ClassVar[tuple[str, ...]] = (STATES, VALUES, POLICIES)
    planes: ClassVar[bool] = True
    """its batches have planes, see ``glaux.search.door``"""

    def __init__(
        self,
        game: Game,
        architecture: str | Architecture = "small-policy",
        *,
        adam: Adam | None = None,
        device: str = "auto",
        threads: int = 1,
        seed: int = 0,
        loss: str = "squares",
    ) -> None:
        if loss not in LOSSES:
            raise InvalidParameter(f"There is no loss '{loss}'{suggest(str(loss), LOSSES)}")
        self.loss = loss
        super().__init__(game, architecture, adam=adam, device=device, threads=threads, seed=seed)
        self.places = np.ascontiguousarray(_places(game, self.architecture.policy).of, np.int64)
        """where the logit of each action is"""
        _, rows, columns = self.shape
        on_cells = self.actions.channels * rows * columns
        self.width = on_cells + self.actions.rest if on_cells else self.actions.count
        """logits of a state"""

    @classmethod
    def action_shape(cls, game: Game, architecture: Architecture) -> ActionShape:
        """All the actions of the game."""
        if architecture.policy == NO_POLICY:
            raise InvalidParameter(
                "This architecture has no policy: set policy to dense, direct, convolutional or pointwise."
            )
        return _places(game, architecture.policy).shape

    @property
    def has_values(self) -> bool:
        """Whether its values are learned, and not its policy alone."""
        return self.loss != "policy"

    # Values and policies

    def answer(self, batch: Batch) -> Answer:
        """Values, and on request the policy over the legal actions: what searches call."""
        assert batch.planes is not None
        if len(batch.actions) == 0:
            return Answer(self(batch.planes))
        values, logits = self.outputs(batch.planes)
        rows = np.repeat(np.arange(len(batch)), np.diff(batch.offsets))
        return Answer(values, weights_of(logits[rows, self.places[batch.actions]], batch.offsets))

    def outputs(self, planes: npt.NDArray[np.float32]) -> tuple[Values, npt.NDArray[np.float32]]:
        """The values of states given as planes, and the logits of all their places, float32[n, width]."""
        return self._asked(planes).both(planes)

    def policies(self, states: State | StateArray | Iterable[State]) -> Policies:
        """The policies of these states as a column of examples, float32[n, max_actions] (``policies.py``)."""
        array, native, width = self.game.array(states), self.game.native, self.game.spec.max_actions
        parts = [np.zeros((0, width), np.float32)]
        for i in range(0, len(array), ENCODED):
            part = array[i : i + ENCODED]
            actions, offsets = native.legal(part, 0, _core.trusted)
            if len(actions) == 0:
                parts.append(np.zeros((len(part), width), np.float32))
                continue
            answer = self.answer(Batch(part, native.encode(part, _core.trusted), actions, offsets))
            rows = in_rows(np.asarray(answer.priors, np.float32), offsets, width)
            parts.append(rows / np.maximum(rows.sum(1, keepdims=True), np.float32(1e-30)))
        return np.concatenate(parts)

    def policy(self, state: State) -> dict[int, float]:
        """The probability of each legal action of a state."""
        actions = self.game.actions(state)
        return dict(zip(actions, self.policies(state)[0].tolist(), strict=False))

    # Learning

    def _learn(self, examples: Examples) -> Errors:
        if POLICIES not in examples.names:  # ends of matches, or pairs of a user: the value is all there is
            return super()._learn(examples)
        # Imported late: torch is optional.
        from glaux.values.networks.losses import PolicyTargets  # noqa: PLC0415

        states, values = np.ascontiguousarray(examples[STATES]), examples[VALUES]
        self._begin_step()
        native = self.game.native
        actions, offsets = native.legal(states, 0, _core.trusted)
        width = max(1, int(np.diff(offsets).max()))
        legal = is_legal(offsets, width)
        places = np.zeros(legal.shape, np.int64)
        places[legal] = self.places[actions]
        policy = PolicyTargets(places, legal, np.ascontiguousarray(examples[POLICIES][:, :width]))
        targets: Values = (values / self.architecture.scale).astype(np.float32)
        outputs, entropies = self._optimized.policy_step(
            native.encode(states, _core.trusted), targets, policy
        )
        square, entropy = self._square(outputs, values), float(entropies.astype(np.float64).sum())
        if not np.isfinite(entropy):
            raise BrokenValue(
                f"The network's policies are no longer finite: the learning rate {self.adam.rate:g} is too "
                "high."
            )
        return Errors(square, entropy)

    # Copies and files

    def settings(self) -> dict[str, Any]:
        """Those of a neural network, and the loss."""
        return super().settings() | {"loss": self.loss}

    @classmethod
    def make(cls, game: Game, settings: Mapping[str, Any]) -> Self:
        """The network of these settings, with its initial weights."""
        return cls(game, **cls._checked(settings, ["architecture", "adam", "seed", "loss"]))


def _places(game: Game, policy: str) -> Places:
    """Where the actions are in what the network gives."""
    if policy == "convolutional":
        return find_places(game)
    count = game.spec.action_count
    return Places(ActionShape(count, 0, 0), np.arange(count))
