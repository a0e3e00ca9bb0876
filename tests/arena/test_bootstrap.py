"""Stratified bootstrap intervals against a plain loop, and the files that they are made from."""

from __future__ import annotations

import json
from math import isclose, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaux.arena.bootstrap import Stratum, estimate
from glaux.arena.comparison import Estimator, default_unit, read_match_files
from glaux.arena.interval import wilson
from glaux.errors import InvalidFile, InvalidParameter


def plain(strata: list[Stratum], rounds: int, seed: int) -> tuple[float, float]:
    """Draw each stratum again, weigh the means, and take the middle 95%."""
    rng = np.random.default_rng(seed)
    means = []
    for _ in range(rounds):
        total = 0.0
        for stratum in strata:
            drawn = [stratum.results[rng.integers(len(stratum.results))] for _ in stratum.results]
            total += stratum.weight * float(np.mean(drawn))
        means.append(total)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def test_intervals_are_those_of_a_plain_loop() -> None:
    rng = np.random.default_rng(1)
    strata = [Stratum(rng.random(8), 0.5), Stratum(rng.random(5) ** 2, 0.25), Stratum(rng.random(12), 0.25)]
    found = estimate(strata, seed=3)
    low, high = plain(strata, 3000, 9)
    width = high - low
    assert isclose(found.low, low, abs_tol=0.06 * width)
    assert isclose(found.high, high, abs_tol=0.06 * width)
    assert isclose(found.mean, sum(s.weight * s.results.mean() for s in strata))
    assert found == estimate(strata, seed=3)


def test_with_many_results_it_is_the_normal_interval_of_independent_strata() -> None:
    rng = np.random.default_rng(2)
    strata = [Stratum((rng.random(300) < p).astype(float), 0.5) for p in (0.3, 0.8)]
    found = estimate(strata)
    spread = sqrt(sum(s.weight**2 * s.results.var() / len(s.results) for s in strata))
    assert isclose(found.high - found.low, 2 * 1.96 * spread, rel_tol=0.05)


@settings(max_examples=25)
@given(st.lists(st.lists(st.floats(0, 1), min_size=2, max_size=6), min_size=1, max_size=5))
def test_the_mean_is_inside_and_nothing_is_outside_what_was_seen(results: list[list[float]]) -> None:
    strata = [Stratum(np.array([*r, 0.0, 1.0]), 1 / len(results)) for r in results]
    found = estimate(strata, resamples=500)
    lowest = sum(s.weight * s.results.min() for s in strata)
    highest = sum(s.weight * s.results.max() for s in strata)
    assert lowest - 1e-9 <= found.low <= found.high <= highest + 1e-9
    assert lowest - 1e-9 <= found.mean <= highest + 1e-9


def test_what_never_varies_is_as_sure_as_wilson_says() -> None:
    found = estimate([Stratum(np.ones(5), 0.5), Stratum(np.zeros(1), 0.5)])
    five, one = wilson(1.0, 5)[0], wilson(0.0, 1)[1]
    assert found.mean == 0.5
    assert found.low == pytest.approx(0.5 - (1 - five) / 2) and found.high == pytest.approx(0.5 + one / 2)
    signed = estimate([Stratum(np.ones(4), 1.0, (-1.0, 1.0))])
    assert signed.low == pytest.approx(2 * wilson(1.0, 4)[0] - 1) and signed.high == 1


def test_no_results() -> None:
    with pytest.raises(InvalidParameter, match="at least one result"):
        estimate([])
    with pytest.raises(InvalidParameter, match="at least one result"):
        estimate([Stratum(np.array([]), 1.0)])


def write(path: Path, game: str, first: tuple[int, int, int], second: tuple[int, int, int]) -> Path:
    def tally(counts: tuple[int, int, int]) -> dict[str, int]:
        return dict(zip(("wins", "draws", "losses"), counts, strict=True))

    path.write_text(json.dumps({"game": game, "by_colour": {"first": tally(first), "second": tally(second)}}))
    return path


def test_each_game_counts_the_same(tmp_path: Path) -> None:
    write(tmp_path / "a.json", "hex", (90, 0, 10), (70, 0, 30))
    write(tmp_path / "b.json", "othello", (1, 2, 1), (0, 0, 4))
    games = read_match_files([tmp_path])
    assert [files.game for files in games] == ["hex", "othello"]
    assert default_unit(games) == "matches"
    estimator = Estimator("matches")
    assert isclose(estimator.mean(games, "score").mean, (0.8 + 2 / 8) / 2)
    assert isclose(estimator.mean(games, "wins").mean, (0.8 + 1 / 8) / 2)
    assert isclose(estimator.mean(games, "wins_minus_losses").mean, (0.6 - 4 / 8) / 2)


def test_repetitions_are_drawn_whole(tmp_path: Path) -> None:
    """Two repetitions, one that wins all and one that loses all: by matches one would be far too sure."""
    files = [
        write(tmp_path / "1.json", "hex", (50, 0, 0), (50, 0, 0)),
        write(tmp_path / "2.json", "hex", (0, 0, 50), (0, 0, 50)),
    ]
    games = read_match_files(files)
    assert default_unit(games) == "repetitions"
    by_files = Estimator("repetitions").mean(games, "score")
    by_matches = Estimator("matches").mean(games, "score")
    assert (by_files.low, by_files.mean, by_files.high) == (0.0, 0.5, 1.0)
    assert 0.4 < by_matches.low < by_matches.high < 0.6


def test_the_gain_is_the_papers(tmp_path: Path) -> None:
    ours = [write(tmp_path / "1.json", "hex", (30, 10, 10), (20, 10, 20))]
    theirs = [write(tmp_path / "2.json", "hex", (10, 0, 40), (10, 0, 40))]
    gain = Estimator("matches").gain(read_match_files(ours), read_match_files(theirs))
    wins_minus_losses = (50 - 30) / 100, (20 - 80) / 100
    assert isclose(gain.mean, (wins_minus_losses[0] - wins_minus_losses[1]) / 2)
    assert gain.low < gain.mean < gain.high
    other = [write(tmp_path / "3.json", "othello", (10, 0, 40), (10, 0, 40))]
    with pytest.raises(InvalidParameter, match="the same games"):
        Estimator("matches").gain(read_match_files(ours), read_match_files(other))


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"game": "hex"}',
        '{"game": "hex", "by_colour": {"first": {}, "second": {}}}',
        '{"game": "hex", "by_colour": {"first": {"wins": -1}, "second": {}}}',
        '{"game": "hex", "by_colour": {"first": {"wins": 1.5}, "second": {}}}',
        '{"game": 7, "by_colour": {"first": {"wins": 1}, "second": {}}}',
        '{"game": "hex", "by_colour": {"first": {"won": 1}, "second": {}}}',
        "[" * 100_000,
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(content)
    with pytest.raises(InvalidFile, match="is not the output of glaux match --json"):
        read_match_files([path])


json_values: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["game", "by_colour", "first"]), inner),
)


@given(st.one_of(st.binary(), json_values.map(lambda value: json.dumps(value).encode())))
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz.json"
    path.write_bytes(content)
    with pytest.raises(InvalidFile):
        read_match_files([path])


def test_missing_files(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match="There is no file"):
        read_match_files([tmp_path / "nothing.json"])
    with pytest.raises(InvalidFile, match=r"has no \.json files"):
        read_match_files([tmp_path])
