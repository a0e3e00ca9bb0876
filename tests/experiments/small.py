"""A small experiment for the tests: two combinations, milliseconds a training, the same every time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from glaux.experiments.directory import ExperimentDirectory
from glaux.experiments.plan import Plan, make_plan
from glaux.experiments.reading import read_experiment

GAME = "connect_four:rows=4,columns=4,length=3"
TEXT = """
title = "Small"
source = "ours"
set = ["workers=1", "warm_start=0", "value.count=6", "value.length=4", "search.evaluations=40"]

[[combination]]
name = "tree"
set = ["targets=tree"]

[[combination]]
name = "terminal"
set = ["targets=terminal"]

[[play]]
name = "curves"
players = { depth1 = "greedy:value={value}" }
stages = "all"
repetitions = "same"
smooth = 2

[[play]]
name = "final"
players = { depth1 = "greedy:value={value}" }

[[play]]
name = "mcts"
players = { depth1 = "greedy:value={value}", deep = "ubfms:value={value},{limit}" }
opponents = { weak = "mcts:iterations=5", strong = "mcts:iterations=50" }
rows = "both"
limit = "evaluations=30"
opening = 1

[[claim]]
text = "Tree learning is better"
play = "final"
better = "tree"
than = ["terminal"]
published = 20.0

[published.final]
connect_four = { tree = 60, terminal = 40 }

[scale.laptop]
games = ["connect_four:rows=4,columns=4,length=3"]
repetitions = 2
matches = 6
stages = 3
preset = "ntuple"
"""


def small_plan(text: str = TEXT, **changes: Any) -> Plan:
    """The plan of the small experiment."""
    return make_plan("small", read_experiment(text, "small.toml"), **changes)


def small_directory(path: Path, plan: Plan | None = None, text: str = TEXT) -> ExperimentDirectory:
    """Its directory."""
    return ExperimentDirectory.open(path, plan or small_plan(text), text)
