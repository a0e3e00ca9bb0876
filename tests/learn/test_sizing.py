"""Trainings of slow rules are cut down to their time, and the warm start keeps its own."""

from itertools import pairwise
from pathlib import Path

import pytest

from glaux.learn import sizing
from glaux.learn.alphazero import AlphaZeroConfig
from glaux.learn.athenan import Athenan, AthenanConfig
from glaux.learn.preset import configure, find_preset
from glaux.learn.run import Run
from glaux.learn.sizing import Speed, fit
from glaux.learn.training import Training
from glaux.rules.game import State, StateArray
from tests.learn.small import small

TIC_TAC_TOE = "docs/examples/tic_tac_toe.py"


def fitted(monkeypatch: pytest.MonkeyPatch, speed: Speed, seconds: float) -> AthenanConfig:
    monkeypatch.setattr(sizing, "measure_speed", lambda config: speed)
    config = fit(configure(TIC_TAC_TOE, find_preset(TIC_TAC_TOE)), seconds)
    assert isinstance(config, AthenanConfig)
    return config


def test_native_games_are_left_alone() -> None:
    config = configure("connect_four", find_preset("connect_four"))
    assert fit(config, 30) is config


def test_slow_rules_have_time_for_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    speed = Speed(playouts=100, plies=50, evaluations=3000, children=30, iteration=1.0)
    config = fitted(monkeypatch, speed, seconds=30)
    assert config.search.algorithm == "ubfm", "a way to the end takes a second"
    assert config.search.evaluations == 9  # 3000 * 30 / 200 matches / 50 actions
    assert config.strength.opponent == "random" and config.strength.limit == 3
    assert (config.workers, config.lockstep) == (1, 3)
    longer = fitted(monkeypatch, speed, seconds=3600)
    assert longer.search.algorithm == "descent" and longer.search.evaluations == 1080
    assert longer.strength.opponent == "mcts:iterations=36"


def test_simulations_of_alphazero_are_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    speed = Speed(playouts=100, plies=50, evaluations=3000, children=1, iteration=0.001)
    monkeypatch.setattr(sizing, "measure_speed", lambda config: speed)
    config = fit(configure(TIC_TAC_TOE, find_preset(TIC_TAC_TOE, "alphazero")), 30)
    assert isinstance(config, AlphaZeroConfig)
    assert config.search.iterations == 9 and config.workers == 1


def test_the_speed_is_measured() -> None:
    config = configure(TIC_TAC_TOE, find_preset(TIC_TAC_TOE))
    assert isinstance(config, AthenanConfig)
    speed = sizing.measure_speed(config)
    assert 5 <= speed.plies <= 9 and speed.playouts > 0 and speed.evaluations > 0 and 1 < speed.children <= 9


def test_a_warm_start_keeps_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a clock that only the playouts move: 10 ms an end."""
    learner, now = Athenan(small(warm_start=100_000)), [0.0]
    playouts = learner.game.playouts
    learner.clock = lambda: now[0]

    def slow(state: State, n: int, seed: int) -> StateArray:
        now[0] += 0.01 * n
        return playouts(state, n, seed)

    monkeypatch.setattr(learner.game, "playouts", slow)
    reports: list[tuple[int, int]] = []
    learner.warm_start(lambda done, total: reports.append((done, total)), seconds=4)
    assert learner.elapsed == pytest.approx(4, abs=0.02)
    assert reports[-1][0] == learner.value.learned == pytest.approx(400, abs=2)
    assert all(later - earlier <= 51 for (earlier, _), (later, _) in pairwise(reports)), "twice a second"


def test_a_training_of_python_rules_learns(tmp_path: Path) -> None:
    """With a goal of matches, so that no clock decides: it sees which cell of tic-tac-toe wins."""
    config = small(
        game=TIC_TAC_TOE,
        value={"count": 8, "length": 4},
        warm_start=200,
        search={"evaluations": 20},
        lockstep=4,
    )
    run = Run.create(tmp_path / "run", config)
    training = Training(run, run.resume(), matches=40)
    training.go()
    game, value = training.learner.game, training.learner.value
    won = game.play("a1 a2 b2 b3")  # c3 or c1 wins
    best = {action: value.evaluate([game.apply(won, action)])[0] for action in game.actions(won)}
    assert game.action_text(won, max(best, key=lambda action: best[action])) in ("c1", "c3")
