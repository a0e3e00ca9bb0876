"""Verdicts on claims, from games whose outcomes are made up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from glaux.experiments.claims import judge
from glaux.experiments.pairings import GameKey, games_of
from glaux.experiments.report import Block, Heading, Paragraph, Picture, Table, markdown, p_text, page
from glaux.experiments.results import Results, count
from glaux.experiments.spec import Claim
from tests.experiments.small import TEXT, small_plan

Rule = Callable[[GameKey], int]
CLAIM = Claim(text="better", play="final", better="tree", than=("terminal",))
ALIKE = Claim(text="alike", play="final", alike=("tree", "terminal"), within=5.0)


def results(rule: Rule, repetitions: int = 8, name: str = "final") -> dict[str, Results]:
    """The games of a play, each ended as the rule says."""
    plan = small_plan(repetitions=repetitions)
    play = next(one for one in plan.experiment.plays if one.name == name)
    games = {key: {"outcome": rule(key)} for key in games_of(plan, play, plan.games[0])}
    return {name: count(plan, play, games)}


def strength(better: str) -> Rule:
    """Who has learned by ``better`` wins against the others; between equals the first does."""

    def rule(key: GameKey) -> int:
        assert key.second is not None
        ranks = [one.combination == better for one in (key.first, key.second)]
        return 1 if ranks[0] >= ranks[1] else -1

    return rule


@pytest.mark.parametrize(
    ("rule", "repetitions", "verdict"),
    [
        (strength("tree"), 8, "confirmed"),
        (strength("terminal"), 8, "not confirmed"),
        (strength("nobody"), 8, "undecided"),
        (strength("tree"), 3, "undecided"),  # three repetitions can't be below 1/8
    ],
)
def test_a_claim_is_as_sure_as_its_repetitions(rule: Rule, repetitions: int, verdict: str) -> None:
    [found] = judge((CLAIM,), results(rule, repetitions))
    assert found.verdict == verdict
    assert found.p is not None
    if repetitions == 8 and verdict == "confirmed":
        assert found.p == pytest.approx(2**-8)
        assert found.comparisons[0].estimate.mean == pytest.approx(0.5)


def test_claims_are_corrected_together() -> None:
    """Eight repetitions alone are 1/256; among twenty claims that is 20/256, and decides nothing."""
    verdicts = judge((CLAIM,) * 20, results(strength("tree")))
    assert {verdict.verdict for verdict in verdicts} == {"undecided"}
    assert verdicts[0].p == pytest.approx(20 / 256)


def test_one_that_is_better_than_all_is_better_than_each() -> None:
    both = replace(CLAIM, than=("terminal", "tree"))
    [found] = judge((both,), results(strength("tree")))
    assert found.verdict == "undecided"  # nobody is better than itself


def test_alike_needs_an_interval_inside_the_margin() -> None:
    [same] = judge((ALIKE,), results(lambda key: 1))
    assert same.verdict == "undecided"  # all are equal, and eight repetitions do not make that sure
    [wide] = judge((replace(ALIKE, within=80.0),), results(lambda key: 1))
    assert wide.verdict == "confirmed"

    def mostly(key: GameKey) -> int:
        """The tree, but for a few games of some repetitions."""
        assert key.second is not None
        upset = key.first.repetition == 1 and key.second.repetition < 4
        return -strength("tree")(key) if upset else strength("tree")(key)

    [different] = judge((ALIKE,), results(mostly))
    assert different.verdict == "not confirmed"
    [few] = judge((ALIKE,), results(strength("tree"), 2))
    assert few.verdict == "undecided"


def test_against_a_fixed_opponent_games_are_counted() -> None:
    def rule(key: GameKey) -> int:
        assert key.second is not None
        return 1 if key.first.combination else -1

    claim = Claim(text="beats it", play="mcts", better="tree/deep", than=("strong",))
    [found] = judge((claim,), results(rule, name="mcts"))
    assert found.verdict == "confirmed"
    assert found.comparisons[0].pairs == 16
    assert found.p == pytest.approx(2**-16)


def test_opponents_with_what_was_learned_have_ratings_of_their_own() -> None:
    """They are not those who are measured, though their values are: a draw is one of each with another."""
    alone = 'name = "final"\nplayers = { depth1 = "greedy:value={value}" }\n'
    assert alone in TEXT
    plan = small_plan(TEXT.replace(alone, alone + 'against = { deep = "ubfms:value={value}" }\n'))
    [play] = [one for one in plan.experiment.plays if one.name == "final"]
    drawn = {("tree", "depth1"), ("terminal", "deep")}

    def outcome(key: GameKey) -> int:
        assert key.second is not None
        return 0 if {(one.combination, one.player) for one in (key.first, key.second)} == drawn else 1

    found = count(plan, play, {key: {"outcome": outcome(key)} for key in games_of(plan, play, plan.games[0])})
    ratings = found.ratings()
    assert ratings is not None
    assert list(found.rows) == ["tree", "terminal"]
    assert len(ratings.players) == 4


def test_a_claim_without_games_is_not_played() -> None:
    [found] = judge((replace(CLAIM, games=("hex",)),), results(strength("tree")))
    assert (found.verdict, found.p) == ("not played", None)


def test_the_report_is_the_same_in_both_forms(tmp_path: Path) -> None:
    (tmp_path / "f.png").write_bytes(b"png")
    table = Table(["", "a|b"], [["c", "1"]])
    blocks: list[Block] = [Heading(1, "A & B"), Paragraph("x < y"), table, Picture("f", "it")]
    written = markdown(blocks)
    assert written == "# A & B\n\nx < y\n\n|  | a\\|b |\n|---|---:|\n| c | 1 |\n\n![it](figures/f.png)\n"
    html = page(blocks, "A & B", tmp_path)
    assert "<h1>A &amp; B</h1>" in html
    assert "<td>c</td><td>1</td>" in html
    assert "data:image/png;base64,cG5n" in html
    assert (p_text(0.04), p_text(9.09e-13)) == ("0.04", "9.1e-13")
