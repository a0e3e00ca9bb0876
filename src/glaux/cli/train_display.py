"""What a person sees of a training: while it runs, and at its end."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from glaux.learn.learner import Learner
from glaux.learn.run import Run
from glaux.learn.strength import Measured, rival
from glaux.learn.training import Status
from glaux.rules.registry import make

BARS = "▁▂▃▄▅▆▇█"
CURVE_POINTS = 40


def clock(seconds: float) -> str:
    """Minutes and seconds, with hours if there are any."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def sparkline(scores: list[float]) -> str:
    """Scores from 0 to 1 as a row of bars."""
    return "".join(BARS[min(len(BARS) - 1, int(score * len(BARS)))] for score in scores[-CURVE_POINTS:])


def dashboard(run: Run, learner: Learner, status: Status) -> RenderableType:
    """The display of a running training."""
    title = Text.assemble(("Training ", "bold"), (learner.game.text, "bold cyan"), f" in {run.path}")
    return Group(
        title,
        Text(learner.value.describe(), style="dim"),
        _bar(status),
        _figures(status),
        _curve(learner, status),
    )


def _bar(status: Status) -> RenderableType:
    if status.warm is not None:
        done, total = status.warm
        return Text(f"warm start: {done:,} of {total:,} ends of random matches")
    grid = Table.grid(padding=(0, 1))
    text = ""
    if status.goal_seconds:
        elapsed = min(status.elapsed, status.goal_seconds)
        left = status.goal_seconds - elapsed
        text = f"{clock(elapsed)} of {clock(status.goal_seconds)}, {clock(left)} left"
    if status.latest is not None and status.goal_matches:
        text += f"  match {status.latest.match:,} of {status.goal_matches:,}"
    grid.add_row(ProgressBar(total=1.0, completed=status.share, width=40), f"{status.share:4.0%}", text)
    return grid


def _figures(status: Status) -> RenderableType:
    latest = status.latest
    if latest is None:
        return Text("the first match is being played", style="dim")
    passed = max(status.sitting_seconds, 1e-9)
    facts = {
        "matches": f"{latest.match:,}",
        "actions": f"{latest.plies:.0f}",
        "states learned/s": f"{status.learned / passed:,.0f}",
        "evaluations/s": f"{status.evaluations / passed:,.0f}",
        "error": f"{latest.loss:.3f}",
        "replay": f"{latest.replay:,}",
        "memory": f"{status.memory() / 2**20:,.0f} MB",
        "checkpoints": f"{status.checkpoints}",
    }
    grid = Table.grid(padding=(0, 3))
    grid.add_row(*(Text(name, style="dim") for name in facts))
    grid.add_row(*facts.values())
    return grid


def _curve(learner: Learner, status: Status) -> RenderableType:
    what = f"strength against {rival(learner.game, learner.config.strength)}"
    if not status.strengths:
        return Text(f"{what}: not measured yet", style="dim")
    scores = [measured.score for _, measured in status.strengths]
    if not status.strengths[-1][1].share:  # from the lowest to the highest so far
        low, high = min(scores), max(scores)
        scores = [(score - low) / ((high - low) or 1) for score in scores]
    return Text.assemble(f"{what}  ", (sparkline(scores), "green"), f"  {_score(status.strengths[-1][1])}")


def _score(measured: Measured) -> str:
    interval = f"95% interval {measured.text(measured.low)} to {measured.text(measured.high)}"
    of = "of" if measured.share else "in"
    return f"{measured.text(measured.score)} {of} {measured.games} games ({interval})"


def plain_line(status: Status) -> str:
    """The state of a training in a line."""
    if status.warm is not None:
        return f"warm start: {status.warm[0]:,} of {status.warm[1]:,}"
    if status.latest is None:
        return "the first match is being played"
    latest = status.latest
    passed = max(status.sitting_seconds, 1e-9)
    measured = status.strengths[-1][1] if status.strengths else None
    strength = f", strength {measured.text(measured.score)}" if measured else ""
    return (
        f"{status.share:4.0%}  {clock(latest.elapsed)}  match {latest.match:,}, {latest.plies:.0f} actions, "
        f"{status.learned / passed:,.0f} states learned/s, {status.evaluations / passed:,.0f} evaluations/s, "
        f"error {latest.loss:.3f}{strength}"
    )


def summary(learner: Learner, status: Status, interrupted: bool) -> RenderableType:
    """What was done."""
    table = Table.grid(padding=(0, 3))
    table.add_column(style="bold")
    table.add_column()
    table.add_row(
        "stopped" if interrupted else "done",
        f"{clock(learner.elapsed)} of training, {learner.matches:,} matches",
    )
    table.add_row("learned", f"{learner.value.learned:,} times from a state")
    table.add_row("evaluated", f"{learner.evaluations:,} states")
    if status.strengths:
        first, last = status.strengths[0][1], status.strengths[-1][1]
        table.add_row(
            f"against {rival(learner.game, learner.config.strength)}",
            f"{first.text(first.score)} at first, now {_score(last)}",
        )
    return table


def commands(run: Run, learner: Learner) -> list[str]:
    """What to do next, a command a line."""
    game, value = make(learner.config.game).label, f"value={run.path}"
    two = learner.game.spec.players == 2
    player = f"wrap:{value}" if learner.config.learner == "td" else f"ubfms:{value}"
    match = f"match {game} {player},seconds=0.2 mcts:iterations=10000 --opening 2"
    puzzle = f"puzzle {game} {player},seconds=0.2 --twists {learner.config.strength.twists or 5}"
    return [
        f"play it    glaux play {game} {player},seconds=1{'' if two else ' --side none'}",
        f"match it   glaux {match}" if two else f"try it     glaux {puzzle}",
        f"train on   glaux train {game} --run {run.path} --resume --minutes {_more(learner)}",
    ]


def _more(learner: Learner) -> int:
    """Minutes that are twice what was trained, at least 1."""
    return max(1, round(2 * learner.elapsed / 60))
