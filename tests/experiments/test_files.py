"""Every experiment that ships: its scales, and the whole way at the smallest scale that there is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from glaux.experiments.directory import ExperimentDirectory
from glaux.experiments.pairings import estimated_seconds
from glaux.experiments.plan import Plan, made, make_plan
from glaux.experiments.report import FIGURES, HTML, MARKDOWN, STATISTICS, write_report
from glaux.experiments.running import run_experiment
from glaux.experiments.shipped import find_experiment, find_text, shipped
from glaux.experiments.spec import MEAN, Experiment
from glaux.experiments.summary import Outcome
from tests.boards import SMALL

WEAK = "mcts:iterations=2"


def smallest(name: str) -> Plan:
    """One tiny game, one repetition, one match a training, one game of each pair."""
    _, experiment = find_experiment(name)
    plan = make_plan(name, experiment)
    game = min((SMALL[made(one).name] for one in plan.games), key=lambda text: made(text).spec.max_plies)
    scales = {key: replace(scale, stages=2) for key, scale in experiment.scales.items()}
    plays = tuple(
        replace(
            play, games=1, limit="iterations=2", opponents=tuple((one, WEAK) for one, _ in play.opponents)
        )
        for play in experiment.plays
    )
    # What a scale changes of its plays would undo this.
    changes = {
        scale: {part: change for part, change in parts.items() if not part.startswith("play")}
        for scale, parts in experiment.changes.items()
    }
    small: Experiment = replace(experiment, scales=scales, plays=plays, changes=changes)
    return make_plan(name, small, games=[game], repetitions=1, matches=1)


def has_networks(name: str) -> bool:
    """Whether it trains neural networks, which take seconds to be made."""
    plan = make_plan(name, find_experiment(name)[1], check=False)
    first = [key for key in plan.trainings() if key.repetition == 1 and key.game == plan.games[0]]
    return any(plan.config(key).value.family in ("network", "policy") for key in first)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.nightly) if has_networks(n) else n for n in shipped()]
)
def test_the_whole_way(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """From the first training to the report; its pictures are drawn for the first, and for all nightly."""
    plan = smallest(name)
    directory = ExperimentDirectory.open(tmp_path / "x", plan, find_text(name)[1])
    with directory.locked():
        steps = list(run_experiment(directory, workers=1))
        outcome = Outcome(directory)
        if name == shipped()[0] or request.config.getoption("--nightly"):
            assert write_report(directory.path, outcome) == ""
            for file in (STATISTICS, MARKDOWN, HTML):
                assert (directory.path / file).stat().st_size > 1000
            assert list((directory.path / FIGURES).glob("*.png"))
            assert "data:image/png;base64," in (directory.path / HTML).read_text()
    assert all(any(s.part == step.part and s.done == s.total for s in steps) for step in steps)
    summary = outcome.summary()
    assert summary["trainings"]["done"] == len(plan.trainings()) == len(plan.combinations(plan.games[0]))
    for play in plan.plays(plan.games[0]):
        assert summary["plays"][play.name]["rows"]
    assert {claim["verdict"] for claim in summary["claims"]} <= {"undecided", "not played", "not confirmed"}


@pytest.mark.parametrize("name", shipped())
def test_scales(name: str) -> None:
    """The laptop comes first and is a matter of hours; the papers' tables have their games."""
    _, experiment = find_experiment(name)
    assert next(iter(experiment.scales)) == "laptop"
    assert len(experiment.scales) >= 2
    plans = {scale: make_plan(name, experiment, scale) for scale in experiment.scales}
    seconds = estimated_seconds(plans["laptop"], 2)
    assert seconds is not None
    assert seconds < 6 * 3600
    assert plans["laptop"].repetitions >= 8
    if "curves" in [play.name for play in experiment.plays]:
        assert len(plans["paper"].games) == 9
        assert len(plans["laptop"].games) >= 6


@pytest.mark.parametrize("name", [n for n in shipped() if MEAN in str(find_experiment(n)[1].published)])
def test_the_published_means_are_those_of_the_published_rows(name: str) -> None:
    """A number that was copied wrongly moves a mean."""
    for games in find_experiment(name)[1].published.values():
        for row, mean in games[MEAN].items():
            numbers = [figures[row] for game, figures in games.items() if game != MEAN and row in figures]
            assert sum(numbers) / len(numbers) == pytest.approx(mean, abs=0.8)
