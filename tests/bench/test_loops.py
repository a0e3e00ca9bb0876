"""The comparison with OpenSpiel: what is counted, on every game that both have."""

import pytest

import glaux
from glaux.bench import loops

pyspiel = pytest.importorskip("pyspiel")


def test_the_games_that_both_have() -> None:
    names = loops.shared_games()
    assert {"connect_four", "hex", "othello", "breakthrough"} <= set(names) <= set(glaux.games())


@pytest.mark.parametrize("name", loops.shared_games())
def test_all_figures_are_there(name: str) -> None:
    speed = loops.measure(glaux.make(name), seconds=0.01)
    assert speed.game == name and min(speed.ratios) > 0
    assert speed.ratios[2] == speed.python / speed.open_spiel_python


def test_a_simulation_with_many_rollouts_is_all_rollouts() -> None:
    """OpenSpiel's bot takes its rollouts at the root: so many matches, and one visit."""
    game = pyspiel.load_game("tic_tac_toe")
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(500, 1), 1.4, 1, 100, False, 1, False)
    root = bot.mcts_search(game.new_initial_state())
    assert root.explore_count == 1
    assert abs(root.total_reward) < 1 and round(root.total_reward * 500) == pytest.approx(
        root.total_reward * 500, abs=1e-6
    ), "the mean of 500 matches"
