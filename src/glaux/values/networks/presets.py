"""The networks by name: the papers' families and published configurations, and a small one for a CPU.

"The paper" is Cohen-Solal, *Learning to Play Two-Player Perfect-Information Games without
Knowledge*; "Minimax Strikes Back" is Cohen-Solal and Cazenave, with its supplement's Tables 3, 8
and 9. Values of games learned with a score or depth heuristic have a linear output.

Published weight counts, all met exactly: ``othello`` 41,695,147 (4 planes of 8 x 8), ``arimaa``
10,511,017 (10 planes of 8 x 8), ``morpion`` 9,989,285 (5 planes of 16 x 16).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from glaux.errors import UnknownName, suggest
from glaux.values.networks.adam import Adam
from glaux.values.networks.architecture import Architecture


@dataclass(frozen=True)
class Preset:
    """A configuration and where it comes from."""

    source: str
    architecture: Architecture
    adam: Adam = field(default_factory=Adam)


C = Architecture()
R1 = Architecture(residual=True, padding=True, depth=2, pointwise=64)
R2 = Architecture(residual=True, padding=True, depth=8, dense_layers=2)
SMALL = Architecture(depth=3, filters=32, padding=True, dense=64)

# The paper's 0.001 is for networks that are larger, trained for days; small ones are held back by it.
LIGHT = Adam(l2=0.00001)
SLOW = Adam(rate=0.0001)
"""the learning rate of the long training runs"""

# Section 8.4 (Table 5) and Table 3 of Minimax Strikes Back have the same F, and the same D where both
# have the game, so the rate of the one, which is said, is taken for the other, where it is not.
# The F = "132c" of Breakthrough in Table 3 is read as 132.
TABLE_5 = {"go-9": 365, "go-11": 228, "hex-11": 228, "hex-13": 155, "othello-8": 477, "othello-10": 286}
TABLE_5 |= {"outer-open-gomoku": 111, "connect6": 65, "havannah-8": 111, "havannah-10": 65}
TABLE_3 = {"surakarta": 845, "breakthrough": 477}

# Table 4 of Minimax Strikes Back: F / c and D of the dense, direct and convolutional networks, and c.
TABLE_4 = {
    "surakarta": ((83, 83), (42, 42), (88, 88), 2),
    "othello-8": ((78, 78), (74, 74), (85, 85), 2),
    "breakthrough": ((78, 78), (69, 69), (85, 85), 2),
    "hex-13": ((60, 74), (46, 74), (74, 74), 2),
    "connect6": ((10, 28), (2, 160), (11, 42), 13),
    "outer-open-gomoku": ((38, 62), (24, 46), (50, 52), 3),
    "havannah-8": ((43, 46), (25, 25), (50, 52), 3),
    "havannah-10": ((38, 38), (12, 12), (46, 46), 3),
}

PRESETS: dict[str, Preset] = {
    "small": Preset("ours: the default, for one CPU core and boards of any size", SMALL, LIGHT),
    "small-pooled": Preset(
        "ours: the same weights for every board size",
        SMALL.with_changes(residual=True, depth=2, pointwise=64, pooling=True),
        LIGHT,
    ),
    "C": Preset("Table 8, with F and D of section 3.3.1: the common protocol of all ablations", C),
    "C-surakarta": Preset(
        "section 3.3.1, footnote 5: two convolutions for Surakarta", C.with_changes(depth=2)
    ),
    "R1": Preset("Table 8, with F and D of section 3.3.1", R1),
    "R2": Preset("Table 8, with F and D of section 3.3.1", R2),
}
PRESETS |= {
    f"R2-{name}": Preset(
        "section 8.4, Table 5: Athénan against ExIt", R2.with_changes(filters=132, dense=d), SLOW
    )
    for name, d in TABLE_5.items()
}
PRESETS |= {
    f"R2-{name}": Preset(
        "Minimax Strikes Back, Table 3", R2.with_changes(filters=132, dense=d, output="linear"), SLOW
    )
    for name, d in TABLE_3.items()
}
PRESETS |= {
    "hex-11": Preset(
        "section 9.3.1: the long training run of Hex 11",
        R2.with_changes(depth=4, filters=83, dense=74, dense_layers=1, output="linear"),
    ),
    "hex-13": Preset(
        "section 9.4.1: the long training run of Hex 13",
        R2.with_changes(filters=186, dense=220, output="linear"),
    ),
    "othello": Preset(
        "section 10.3: the long training run of Othello, 41,695,147 weights",
        R2.with_changes(
            filters=373,
            squeeze=True,
            pointwise=4453,
            pooling=True,
            dense=4453,
            dense_layers=1,
            output="linear",
        ),
        # The section's L2 parameter is 0.99. Beside a mean squared error it would leave nothing but
        # zeros, so it is read as beside the sum over the section's batch of 4000.
        Adam(rate=0.0001, epsilon=1e-5, l2=0.99 / 4000),
    ),
    "arimaa": Preset(
        "section 11.4: the long training run of Arimaa, 10,511,017 weights",
        R2.with_changes(
            depth=4, filters=263, pointwise=2217, pooling=True, dense=2217, dense_layers=1, output="linear"
        ),
        Adam(rate=0.0001, beta2=0.99),
    ),
    "morpion": Preset(
        "section 12.4: the long training run of Morpion Solitaire, 9,989,285 weights",
        R2.with_changes(filters=186, squeeze=True, dense=104, output="linear"),
        Adam(rate=0.0001, beta2=0.99, epsilon=1e-8),
    ),
    "tournament-breakthrough": Preset(
        "Minimax Strikes Back, Table 9", C.with_changes(filters=166, dense=751, output="linear")
    ),
    "tournament-othello-8": Preset(
        "Minimax Strikes Back, Table 9", R2.with_changes(filters=59, dense=213, output="linear")
    ),
    "tournament-othello-10": Preset(
        "Minimax Strikes Back, Table 9", R2.with_changes(filters=59, dense=128, output="linear")
    ),
}


SMALL_POLICY = SMALL.with_changes(policy="pointwise", policy_filters=8)
ALPHAZERO = R2.with_changes(filters=256, depth=19, dense=256, dense_layers=1, pointwise=1)
PRESETS |= {
    "small-policy": Preset(
        "ours: small with a policy, the laptop default of AlphaZero and ExIt", SMALL_POLICY, LIGHT
    ),
    "small-pooled-policy": Preset(
        "ours: the same weights for every board size",
        SMALL.with_changes(residual=True, depth=2, pointwise=64, pooling=True, policy="convolutional"),
        LIGHT,
    ),
    "alphazero": Preset(
        "AlphaZero (Silver et al. 2018): 19 blocks of 256 filters; value head of a 1x1 convolution with "
        "one filter and 256 neurons, policy head of one with two filters; no batch normalization",
        ALPHAZERO.with_changes(policy="pointwise", policy_filters=2),
        Adam(rate=0.0001, l2=0.0001),
    ),
    "polygames-hex-11": Preset(
        "Minimax Strikes Back, section 2.7: the first network of Polygames at Hex 11",
        R2.with_changes(filters=40, dense=50, policy="dense"),
        SLOW,
    ),
    "alphazero-hex-11": Preset(
        "Minimax Strikes Back, section 2.7: the AlphaZero-like network of Polygames at Hex 11",
        R2.with_changes(filters=64, dense=256, policy="pointwise", policy_filters=2),
        SLOW,
    ),
}
PRESETS |= {
    f"polygames-{policy}": Preset(
        "Minimax Strikes Back, Table 4, its network for Othello, for games not in that table",
        R2.with_changes(filters=f, dense=d, policy=policy),
        SLOW,
    )
    for policy, f, d in (("dense", 156, 78), ("direct", 148, 74), ("convolutional", 170, 85))
}
PRESETS |= {
    f"polygames-{policy}-{name}": Preset(
        "Minimax Strikes Back, Table 4",
        R2.with_changes(filters=c * f, dense=d, policy=policy),
        SLOW,
    )
    for name, (*sizes, c) in TABLE_4.items()
    for policy, (f, d) in zip(("dense", "direct", "convolutional"), sizes, strict=True)
}
PRESETS |= {
    f"exit-{name}": Preset(
        "section 8.4.2: ExIt, the network of Table 5 with a policy",
        R2.with_changes(filters=132, dense=d, policy="pointwise"),
        SLOW,
    )
    for name, d in TABLE_5.items()
}


def preset(name: str, **changes: Any) -> Preset:
    """The configuration of this name, with some fields of the architecture changed."""
    if name not in PRESETS:
        raise UnknownName(f"There is no network '{name}'{suggest(name, list(PRESETS))}")
    found = PRESETS[name]
    return Preset(found.source, found.architecture.with_changes(**changes), found.adam)
