"""What earlier versions have saved can still be read, is worth the same, and goes on."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import glaux
from glaux.learn.run import Run
from glaux.learn.training import Training

FIXTURES = Path(__file__).parents[1] / "fixtures"
EXPECTED = json.loads((FIXTURES / "expected.json").read_text())
RUNS = [path.parent.name for path in sorted(FIXTURES.glob("*/config.json"))]


@pytest.mark.parametrize("name", EXPECTED["values"])
def test_the_values_are_the_same(name: str) -> None:
    value = glaux.load(FIXTURES / name)
    states = np.array([list(bytes.fromhex(state)) for state in EXPECTED["states"]], np.uint8)
    assert value.evaluate(states).tolist() == pytest.approx(EXPECTED["values"][name], rel=1e-5, abs=1e-6)
    before = value.learned
    value.fit(states, np.zeros(len(states)))
    assert value.learned == before + len(states) > len(states)


@pytest.mark.parametrize("name", RUNS)
def test_a_run_goes_on(name: str, tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / name, tmp_path / name)
    run = Run.open(tmp_path / name)
    [old] = (tmp_path / name / "checkpoints").iterdir()
    with np.load(old / "arrays.npz") as stored:
        kept = {key: stored[key] for key in stored.files}
    learner = run.resume()
    _, arrays = learner.state()
    for key, array in kept.items():
        assert np.array_equal(arrays[key], array), key
    matches, learned = learner.matches, learner.value.learned
    assert matches == int(old.name)
    Training(run, learner, matches=matches + 2).go()
    again = run.resume()
    assert again.matches == matches + 2
    assert again.value.learned > learned
    assert [row["match"] for row in run.matches()][-1] == matches + 2
