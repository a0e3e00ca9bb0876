"""A network with a policy that is asked once for each state, as long as it does not learn.

Matches that are played together begin alike, so that in self-play their searches ask for the same states
again and again: of the first plies for almost nothing else. What the network has said is kept by state,
within a budget of memory, and the network is given the others; that and the softmax over the legal actions
are native, so that a batch costs one call of Python. It is for one round of matches: whoever plays
the next one, with what was learned meanwhile, makes a new one.
"""

from __future__ import annotations

from glaux import _core
from glaux.rules.game import StateArray
from glaux.values.networks.policy_network import PolicyNetwork
from glaux.values.policies import Actions, Offsets, Weights
from glaux.values.value import ValueFunction

MEMORY = 32 << 20
MOST = 1 << 17
"""states that are kept at the most, of which their own bytes are kept besides"""


class Once:
    """What a lock-step of searches asks instead of the network; one thread at a time."""

    def __init__(self, network: PolicyNetwork, memory: int = MEMORY) -> None:
        self.network = network
        self.game, self.heuristic = network.game, network.heuristic
        self.entries = max(1, min(MOST, memory // (4 * (1 + network.width))))
        self.native = _core.PolicyValue(network.outputs, network.places, network.width, self.entries)

    def weights(self, states: StateArray) -> tuple[Actions, Offsets, Weights]:
        """The legal actions of states, and a weight for each, as ``weights_of`` gives it."""
        return self.native.weights(self.game.native, states, _core.trusted)

    @property
    def asked(self) -> int:
        """States that were wanted."""
        return self.native.asked

    @property
    def evaluated(self) -> int:
        """States that the network was given."""
        return self.native.evaluated


def once(value: ValueFunction) -> ValueFunction | Once:
    """The value function, or a policy network that is asked once for each state."""
    return Once(value) if isinstance(value, PolicyNetwork) else value
