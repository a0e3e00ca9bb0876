import json

import pytest

import glaux
from tests.cli.runner import refusal, run
from tests.values.positions import sign_accuracy, terminal_pairs


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    game = glaux.make("othello", size=6)
    network = glaux.NTupleNetwork(game, count=30, length=5)
    network.fit(*terminal_pairs(game, 20_000, seed=1))
    assert sign_accuracy(network, *terminal_pairs(game, 1000, seed=2)) > 0.9
    network.history.append({"fitted to": "random ends", "pairs": 20_000})
    path = tmp_path_factory.mktemp("values") / "othello6"
    network.save(path)
    return path


def test_info_for_people(saved):
    result = run("value", "info", str(saved), "--seconds", "0.05", "--positions", "300")
    assert (result.exit_code, result.stderr) == (0, "")
    for text in (
        "othello:size=6",
        "30 tuples of 5 cells, 8 symmetries",
        "14,580 weights",
        "fitted to: random ends",
        "evaluations/s",
        "pairs/s",
        "mean outcome",
        "Rank correlation",
    ):
        assert text in result.stdout


def test_info_for_programs(saved):
    result = run("value", "info", str(saved), "--seconds", "0.05", "--positions", "500", "--json")
    facts = json.loads(result.stdout)
    assert facts["game"] == "othello:size=6"
    assert (facts["family"], facts["weights"]) == ("ntuple", 2 * 30 * 3**5)
    assert facts["bytes"] == sum(file.stat().st_size for file in saved.iterdir())
    assert facts["learned"] > 15_000
    assert facts["versions"]["glaux"] == glaux.__version__
    assert facts["speed"]["states_per_second"] > 0
    groups = facts["calibration"]["groups"]
    assert [group["positions"] for group in groups] == [100] * 5
    assert groups[0]["outcome"] < groups[-1]["outcome"] - 0.2  # it has learned who wins
    assert facts["calibration"]["correlation"] > 0.15


def test_info_without_measurements(saved):
    facts = json.loads(
        run("value", "info", str(saved), "--seconds", "0", "--positions", "0", "--json").stdout
    )
    assert facts["speed"] is facts["calibration"] is None


def test_a_player_takes_the_directory(saved):
    player = f"ubfms:value={saved},iterations=50"
    result = run("match", "othello:size=6", player, "random", "--games", "4", "--json", "--seed", "3")
    assert json.loads(result.stdout)["games"] == 4
    sentence = refusal("match", "othello", player, "random", "--games", "2")
    assert sentence.endswith("holds a value function of othello:size=6, not of othello:size=8.")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("info", "nowhere"), "There is no directory 'nowhere'."),
        (("info", "docs"), "The directory 'docs' holds no value function: it has no value.json."),
        (("info", "docs", "--positions", "-1"), "--positions and --seconds can't be negative."),
    ],
)
def test_mistakes(arguments, sentence):
    assert refusal("value", *arguments) == sentence


def test_bare_value_prints_help():
    assert "info" in run("value").stdout


FIELDS = [
    "game",
    "value",
    "weights",
    "batch",
    "states_per_second",
    "evaluations_per_second",
    "share",
    "microseconds_per_state",
    "pytorch_states_per_second",
    "pytorch_ratio",
    "pairs_per_second",
    "update_milliseconds",
]


@pytest.mark.slow
def test_bench_values():
    arguments = ["--value", "ntuple-100", "--value", "small", "--game", "connect_four", "--seconds", "0.05"]
    result = run("bench", "values", *arguments, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    ntuple, network = json.loads(result.stdout)
    for row in (ntuple, network):
        assert list(row) == FIELDS
        assert row["game"] == "connect_four"
        assert row["share"] == pytest.approx(
            row["evaluations_per_second"] / row["states_per_second"], rel=0.01, abs=0.001
        )
    assert ntuple["weights"] == 2 * 100 * 3**7
    assert ntuple["pytorch_ratio"] is ntuple["update_milliseconds"] is None
    assert network["pytorch_ratio"] > 0 and network["update_milliseconds"] > 0
    table = run("bench", "values", *arguments).stdout
    assert "ntuple-100" in table and "pairs/s" in table


def test_bench_values_mistakes():
    assert refusal("bench", "values", "--value", "smal") == (
        "There is no value function 'smal': did you mean 'small'?"
    )
    assert refusal("bench", "values", "--seconds", "0") == "--seconds must be more than 0, not 0."
