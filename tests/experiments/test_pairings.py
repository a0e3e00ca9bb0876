"""The protocol against a plain transcription of section 3.3, and against the papers' numbers of matches."""

from __future__ import annotations

import pytest

from glaux.experiments.pairings import Contestant, GameKey, games_of, measured
from glaux.experiments.plan import Plan, make_plan
from glaux.experiments.results import Results, count
from glaux.experiments.shipped import find_experiment
from glaux.experiments.spec import Play
from tests.experiments.small import small_plan


def play_of(plan: Plan, name: str) -> Play:
    return next(play for play in plan.experiment.plays if play.name == name)


def outcome_of(first: str, second: str) -> int:
    """Any rule that is the same every time."""
    return sum(first.encode()) * 7 % 3 - sum(second.encode()) * 5 % 2


def counted(plan: Plan, play: Play) -> Results:
    games = {
        key: {"outcome": max(-1, min(1, outcome_of(str(key.first), str(key.second))))}
        for game in plan.games
        for key in games_of(plan, play, game)
    }
    return count(plan, play, games)


def wins(value: str, rivals: list[str]) -> float:
    """The share of matches that a value wins with both colours against each rival."""
    won = [outcome_of(value, rival) > 0 for rival in rivals] + [
        outcome_of(rival, value) < 0 for rival in rivals
    ]
    return sum(won) / len(won)


def test_hourly_values_meet_the_final_ones_of_their_repetition() -> None:
    plan = small_plan(repetitions=3)
    results = counted(plan, play_of(plan, "curves"))
    for combination in ("tree", "terminal"):
        for h in (1, 2, 3):
            by_repetition = results.repetitions(plan.games[0], combination, h)
            assert sorted(by_repetition) == [1, 2, 3]
            for r, found in by_repetition.items():
                rivals = [f"{other}/{r}/3/depth1" for other in ("tree", "terminal")]
                assert found == pytest.approx(wins(f"{combination}/{r}/{h}/depth1", rivals))


def test_at_the_end_all_play_all_themselves_included() -> None:
    plan = small_plan(repetitions=3)
    results = counted(plan, play_of(plan, "final"))
    everybody = [f"{c}/{r}/3/depth1" for c in ("tree", "terminal") for r in (1, 2, 3)]
    for combination in ("tree", "terminal"):
        for r, found in results.repetitions(plan.games[0], combination).items():
            assert found == pytest.approx(wins(f"{combination}/{r}/3/depth1", everybody))
    assert results.games[plan.games[0]] == len(everybody) ** 2


def test_against_fixed_opponents_each_has_both_colours() -> None:
    plan = small_plan()
    play = play_of(plan, "mcts")
    one = Contestant("tree", 1, 3, "deep")
    weak = Contestant("", 0, 0, "weak")
    games = games_of(plan, play, plan.games[0])
    assert GameKey(plan.games[0], one, weak, 0) in games
    assert GameKey(plan.games[0], weak, one, 0) in games
    assert len(games) == len(set(games)) == 2 * 2 * 2 * 2 * 2
    assert list(counted(plan, play).rows) == ["tree/depth1", "tree/deep", "terminal/depth1", "terminal/deep"]


def matches_of_a_row(name: str, play_name: str, game: str, stage: int | None = None) -> set[int]:
    """From how many matches each percentage of the paper's table is, if each counts for both sides."""
    plan = make_plan(name, find_experiment(name)[1], "paper", games=[game])
    play = play_of(plan, play_name)
    those = set(measured(plan, play, plan.games[0]))
    totals: dict[str, int] = {}
    for key in games_of(plan, play, plan.games[0]):
        for one, other in ((key.first, key.second), (key.second, key.first)):
            final = other is not None and (other.stage == plan.stages or not other.combination)
            if one in those and final and one is not None and stage in (None, one.stage):
                if play.against and other is not None and other.player not in dict(play.against):
                    continue
                row = one.player if play.rows == "players" else one.combination
                totals[row] = totals.get(row, 0) + 1
    return set(totals.values())


@pytest.mark.parametrize(
    ("name", "play", "game", "stage", "matches"),
    [
        ("table3", "final", "hex", None, 12_288),
        ("table3", "curves", "hex", 17, 384),
        ("table2", "curves", "hex", 48, 384),
        ("table4", "final", "hex", None, 13_824),
        ("play", "table6", "hex", None, 18_432),
        ("play", "table7", "hex", None, 1_536),
        ("exit", "mcts", "hex:size=11", 15, 40 * 200),
    ],
)
def test_percentages_are_of_as_many_matches_as_the_papers_say(
    name: str, play: str, game: str, stage: int | None, matches: int
) -> None:
    assert matches_of_a_row(name, play, game, stage) == {matches}
