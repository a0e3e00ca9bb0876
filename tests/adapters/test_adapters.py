"""Our games in PettingZoo, Gymnasium and OpenSpiel: their own tests pass, and matches are the same."""

import random

import numpy as np
import pytest

import glaux
from glaux import _core
from glaux.errors import InvalidParameter

for library in ("pettingzoo", "gymnasium", "pyspiel"):
    pytest.importorskip(library)

from glaux.adapters import gymnasium as puzzles  # noqa: E402 (which need these)
from glaux.adapters import open_spiel as spiel  # noqa: E402
from glaux.adapters import pettingzoo  # noqa: E402

ONE_PLAYER = [name for name in glaux.games() if glaux.make(name).spec.players == 1]
RESULTS = [name for name in glaux.games() if glaux.make(name).spec.aim == _core.Aim.result]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", glaux.games())
def test_pettingzoos_own_test(name):
    from pettingzoo.test import api_test  # noqa: PLC0415 (an optional dependency)

    api_test(pettingzoo.env(name), num_cycles=60)


def test_a_match_in_pettingzoo_ends_with_the_outcome():
    environment, rng = pettingzoo.env("connect_four"), random.Random(1)
    game = glaux.make("connect_four")
    for _ in range(5):
        environment.reset()
        state, rewards = game.initial(), {"first": 0.0, "second": 0.0}
        for agent in environment.agent_iter():
            seen, reward, over, _, _ = environment.last()
            rewards[agent] += reward
            if over:
                environment.step(None)
                continue
            assert (agent == "first") == game.first_player(state)
            assert np.flatnonzero(seen["action_mask"]).tolist() == game.actions(state)
            action = rng.choice(game.actions(state))
            state = game.apply(state, action)
            environment.step(action)
        outcome = game.outcome(state) or 0
        assert rewards == {"first": outcome, "second": -outcome}


def test_an_illegal_action_in_pettingzoo_loses():
    environment = pettingzoo.GameEnv("connect_four:rows=2,columns=4")
    environment.reset()
    for action in (0, 0, 0):
        environment.step(action)
    assert environment.rewards == {"first": -1.0, "second": 1.0} and all(environment.terminations.values())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ONE_PLAYER)
def test_gymnasiums_own_test(name):
    from gymnasium.utils.env_checker import check_env  # noqa: PLC0415 (an optional dependency)

    check_env(puzzles.PuzzleEnv(name, twists=2), skip_render_check=True)


def test_a_puzzle_in_gymnasium_can_be_solved():
    environment = puzzles.PuzzleEnv("rubik2", twists=1)
    planes, info = environment.reset(seed=3)
    assert planes.shape == environment.observation_space.shape and info["action_mask"].any()
    start, seen = environment._state, []
    for action in range(environment.game.spec.action_count):
        environment._state = start
        seen.append(environment.step(action)[1:3])
    assert (1.0, True) in seen, "one of the twists undoes the scramble"
    with pytest.raises(InvalidParameter, match=r"use glaux\.adapters\.pettingzoo"):
        puzzles.PuzzleEnv("hex")


@pytest.mark.parametrize("name", RESULTS)
def test_matches_in_open_spiel_are_ours(name):
    game, theirs = glaux.make(name), spiel.load(name)
    assert theirs.num_distinct_actions() == game.spec.action_count
    rng, state, other = random.Random(2), game.initial(), theirs.new_initial_state()
    for _ in range(40):
        assert other.is_terminal() == game.terminal(state)
        if game.terminal(state):
            break
        assert other.legal_actions() == game.actions(state)
        assert (other.current_player() == 0) == game.first_player(state)
        action = rng.choice(game.actions(state))
        assert other.action_to_string(other.current_player(), action) == game.action_text(state, action)
        state = game.apply(state, action)
        other = other.child(action)
    assert str(other) == str(state)
    assert other.returns()[0] == (game.outcome(state) or 0)


def test_games_with_nearly_the_same_text_are_told_apart_in_open_spiel():
    for text in ("go:size=5,komi=1", "go:size=5,komi=-1", "go:size=5,komi=1"):
        assert spiel.load(text).new_initial_state().game == glaux.make(text)


def test_open_spiels_mcts_plays_our_game():
    from open_spiel.python.algorithms import mcts  # noqa: PLC0415

    theirs = spiel.load("connect_four:rows=4,columns=4,length=3")
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(theirs, 1.4, 200, mcts.RandomRolloutEvaluator(1, rng), random_state=rng, solve=True)
    game = glaux.make("connect_four:rows=4,columns=4,length=3")
    state = theirs.new_initial_state()
    played = game.play("2 4 2 4")  # 2 wins at once
    for action in (1, 3, 1, 3):
        state.apply_action(action)
    assert str(state) == str(played)
    assert game.action_text(played, bot.step(state)) == "2"


def test_the_observer_gives_the_planes():
    game = glaux.make("othello")
    theirs = spiel.load("othello")
    observer = theirs.make_py_observer()
    observer.set_from(theirs.new_initial_state(), 0)
    assert np.array_equal(observer.dict["planes"], game.encode(game.initial())[0])
