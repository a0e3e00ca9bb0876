"""All figures of an experiment as plain JSON: what ``statistics.json`` holds and ``--json`` prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from glaux.arena.bootstrap import Estimate
from glaux.experiments.claims import Verdict, judge
from glaux.experiments.directory import ExperimentDirectory
from glaux.experiments.plan import TrainingKey, made
from glaux.experiments.results import Results, count
from glaux.experiments.spec import MEAN
from glaux.experiments.statistics import kendall_tau, moving_average

CURVE_RESAMPLES = 1000
"""for each point of a curve: a band is not a test"""
WORK = ("matches", "learned", "states", "evaluations", "calls", "seconds")
"""what a training run has done"""


class Outcome:
    """What has come of an experiment so far."""

    def __init__(self, directory: ExperimentDirectory) -> None:
        self.plan = directory.plan
        plays = directory.plan.experiment.plays
        self.results: dict[str, Results] = {
            play.name: count(directory.plan, play, directory.games(play)) for play in plays
        }
        self.verdicts: list[Verdict] = judge(directory.plan.experiment.claims, self.results)
        self.trained: Mapping[TrainingKey, Mapping[str, Any]] = directory.trained()

    def published(self, play: str, game: str) -> Mapping[str, float]:
        """The paper's figures for a GAME by row; the mean is that of the games that are played here."""
        published, played = self.plan.experiment.published.get(play, {}), self.results[play].played
        if game != MEAN:
            return published.get(made(game).name, {})
        found = {}
        for row in self.results[play].rows:
            figures = [numbers[row] for one in played if row in (numbers := self.published(play, one))]
            if figures:
                found[row] = float(np.mean(figures))
        return found or published.get(MEAN, {})

    def taus(self, play: str) -> dict[str, float]:
        """Kendall's tau between the published ranking and this one, by GAME and for their mean."""
        results, found = self.results[play], {}
        for game in [*results.played, MEAN]:
            theirs = self.published(play, game)
            ours = {row: self._value(results, game, row) for row in theirs}
            rows = [row for row, value in ours.items() if value is not None]
            tau = kendall_tau([theirs[row] for row in rows], [float(ours[row] or 0.0) for row in rows])
            if tau is not None:
                found[game] = tau
        return found

    @staticmethod
    def _value(results: Results, game: str, row: str) -> float | None:
        if game != MEAN:
            return results.mean(game, row)
        found = results.estimate(row, resamples=100)
        return None if found is None else found.mean

    def work(self) -> dict[str, dict[str, float]]:
        """What the training runs of each combination have done, on average."""
        found: dict[str, dict[str, float]] = {}
        for one in self.plan.experiment.combinations:
            rows = [row for key, row in self.trained.items() if key.combination == one.name]
            if rows:
                found[one.name] = {name: float(np.mean([row.get(name, 0) for row in rows])) for name in WORK}
        return found

    def summary(self) -> dict[str, Any]:
        """The figures."""
        plan = self.plan
        return {
            "experiment": plan.name,
            "title": plan.experiment.title,
            "source": plan.experiment.source,
            "scale": plan.scale_name,
            "games": list(plan.games),
            "repetitions": plan.repetitions,
            "minutes": plan.minutes,
            "matches": plan.matches,
            "seed": plan.seed,
            "trainings": {"done": len(self.trained), "of": len(plan.trainings())},
            "work": self.work(),
            "plays": {name: self._play(results) for name, results in self.results.items()},
            "claims": [_verdict(verdict) for verdict in self.verdicts],
        }

    def _play(self, results: Results) -> dict[str, Any]:
        rows = results.rows
        table: dict[str, Any] = {"measure": results.play.measure, "games": results.games, "rows": {}}
        ratings = results.ratings()
        for place, row in enumerate(rows):
            whole = results.estimate(row)
            entry: dict[str, Any] = {
                "title": rows[row],
                "mean": None if whole is None else _estimate(whole),
                "by_game": {
                    game: {
                        **_estimate(found),
                        "repetitions": [round(v, 6) for v in results.repetitions(game, row).values()],
                        "seconds_per_move": round(results.times[game, row].mean, 6),
                    }
                    for game in results.played
                    if (found := results.estimate(row, [game])) is not None
                },
            }
            if ratings is not None:
                rating = asdict(ratings.players[place])
                entry["elo"] = {k: round(v, 1) if isinstance(v, float) else v for k, v in rating.items()}
            if results.conditions:
                entry["by_opponent"] = {
                    condition: _estimate(found)
                    for condition in results.conditions
                    if (found := results.estimate(row, condition=condition)) is not None
                }
            table["rows"][row] = entry
        if results.play.stages == "all":
            table["curves"] = {game: self.curves(results, [game]) for game in results.played}
            table["curves"][MEAN] = self.curves(results, results.played)
        table["kendall_tau"] = self.taus(results.play.name)
        return table

    def curves(self, results: Results, games: list[str]) -> dict[str, dict[str, list[float]]]:
        """For each row its curve by stage: the mean over games, its interval, and the best repetition."""
        curves: dict[str, dict[str, list[float]]] = {}
        for row in results.rows:
            points = [
                results.estimate(row, games, CURVE_RESAMPLES, stage=stage)
                for stage in range(1, self.plan.stages + 1)
            ]
            there = [point for point in points if point is not None]
            if len(there) < len(points):
                continue
            width = results.play.smooth
            best = [_best(results, games, row, stage) for stage in range(1, self.plan.stages + 1)]
            curves[row] = {
                "mean": moving_average([point.mean for point in there], width),
                "low": moving_average([point.low for point in there], width),
                "high": moving_average([point.high for point in there], width),
                "best": moving_average(best, width),
            }
        return curves


def _best(results: Results, games: list[str], row: str, stage: int) -> float:
    """What the best repetition of each game has, on average over the games."""
    found = [results.repetitions(game, row, stage) for game in games]
    return float(np.mean([max(values.values()) for values in found if values]))


def _estimate(found: Estimate) -> dict[str, float]:
    return {"mean": round(found.mean, 6), "low": round(found.low, 6), "high": round(found.high, 6)}


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "text": verdict.claim.text,
        "play": verdict.claim.play,
        "published": verdict.claim.published,
        "verdict": verdict.verdict,
        "p": verdict.p,
        "comparisons": [
            {
                "better": one.better,
                "than": one.than,
                "difference": _estimate(one.estimate),
                "p_better": one.p_better,
                "p_worse": one.p_worse,
                "pairs": one.pairs,
                "test": one.test,
            }
            for one in verdict.comparisons
        ],
    }
