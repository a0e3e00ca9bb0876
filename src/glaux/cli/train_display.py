"""What a person sees of a training run: while it runs, and at its end."""

from __future__ import annotations

import shlex

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from glaux.errors import Untrusted
from glaux.learn.learner import Learner
from glaux.learn.run import Run
from glaux.learn.strength import Measured, rival
from glaux.learn.training import Status
from glaux.players.registry import search_of
from glaux.rules.registry import make
from glaux.words import plural

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


def doing(status: Status) -> str:
    """What a training run is busy with while it shows no match: before the first, and after the last."""
    if status.warm is not None:
        done, total = status.warm
        return f"warm start: {done:,} of {total:,} random matches"
    if status.last:
        return f"saved; measuring strength{_game(status)} (Ctrl-C to skip)"
    if status.latest is None:
        return f"resumed after match {status.resumed:,}" if status.resumed else "playing the first match"
    return ""


def _game(status: Status) -> str:
    """Which game of a measurement is being played, if one is."""
    return "" if status.measuring is None else f", game {status.measuring[0] + 1} of {status.measuring[1]}"


def _bar(status: Status) -> RenderableType:
    text = ""
    if status.goal_seconds:
        elapsed = min(status.elapsed, status.goal_seconds)
        left = status.goal_seconds - elapsed
        text = f"{clock(elapsed)} of {clock(status.goal_seconds)}, {clock(left)} left"
    if status.latest is not None and status.goal_matches:
        text += f"  match {status.latest.match:,} of {status.goal_matches:,}"
    grid = Table.grid(padding=(0, 1))
    grid.add_column(ratio=1, max_width=40)
    grid.add_column(no_wrap=True)
    grid.add_column()
    grid.add_row(ProgressBar(total=1.0, completed=status.share), f"{status.share:4.0%}", text)
    return grid


def _figures(status: Status) -> RenderableType:
    latest = status.latest
    busy = doing(status)
    if latest is None:
        return Text(busy, style="dim")
    passed = max(status.sitting_seconds, 1e-9)
    facts = {
        "matches": f"{latest.match:,}",
        "actions": f"{latest.plies:.0f}",
        "states learned/s": f"{status.learned / passed:,.0f}",
        "evaluations/s": f"{status.evaluations / passed:,.0f}",
        "error": f"{latest.loss:.3f}",
        **({} if latest.policy_loss is None else {"policy": f"{latest.policy_loss:.3f}"}),
        "replay": f"{latest.replay:,}",
        "memory": f"{status.memory() / 2**20:,.0f} MB",
        "checkpoints": f"{status.checkpoints}",
    }
    # As many beside each other as the terminal has room for.
    columns = Columns(
        (Text.assemble((name, "dim"), "\n", figure) for name, figure in facts.items()), padding=(0, 2)
    )
    return Group(columns, Text(busy, style="bold")) if busy else columns


def _curve(learner: Learner, status: Status) -> RenderableType:
    what = f"strength against {rival(learner.game, learner.config.strength)}"
    if not status.strengths:
        return Text(f"{what}: not measured yet{_game(status)}", style="dim")
    scores = [measured.score for _, measured in status.strengths]
    at, last = status.strengths[-1]
    if not last.share:  # from the lowest to the highest so far
        low, high = min(scores), max(scores)
        scores = [(score - low) / ((high - low) or 1) for score in scores]
    return Text.assemble(f"{what}  ", (sparkline(scores), "green"), f"  {_score(last)}, {age(status, at)}")


def age(status: Status, at: float) -> str:
    """How old a measurement is that was begun after this many seconds of training."""
    passed = max(0.0, status.elapsed - at)
    return "just now" if passed < 1 else f"{clock(passed)} ago"


def _score(measured: Measured) -> str:
    interval = f"95% interval {measured.text(measured.low)} to {measured.text(measured.high)}"
    of = "of" if measured.share else "in"
    return f"{measured.text(measured.score)} {of} {plural(measured.games, 'game')} ({interval})"


def plain_line(status: Status) -> str:
    """The state of a training run in a line."""
    busy = doing(status)
    latest = status.latest
    if busy or latest is None:
        return f"{status.share:4.0%}  {clock(status.elapsed)}  {busy}"
    passed = max(status.sitting_seconds, 1e-9)
    policy = "" if latest.policy_loss is None else f", policy {latest.policy_loss:.3f}"
    strength = ""
    if status.strengths:
        at, measured = status.strengths[-1]
        strength = f", strength {measured.text(measured.score)} ({age(status, at)})"
    return (
        f"{status.share:4.0%}  {clock(latest.elapsed)}  "
        f"match {latest.match:,}, {plural(round(latest.plies), 'action')}, "
        f"{status.learned / passed:,.0f} states learned/s, {status.evaluations / passed:,.0f} evaluations/s, "
        f"error {latest.loss:.3f}{policy}{strength}"
    )


def summary(learner: Learner, status: Status, interrupted: bool) -> RenderableType:
    """What was done."""
    table = Table.grid(padding=(0, 3))
    table.add_column(style="bold")
    table.add_column()
    table.add_row(
        "stopped" if interrupted else "done",
        f"{clock(learner.elapsed)} of training, {plural(learner.matches, 'match')}",
    )
    table.add_row("learned", plural(learner.value.learned, "example"))
    table.add_row("evaluated", plural(learner.evaluations, "state"))
    if status.strengths:
        first, last = status.strengths[0][1], status.strengths[-1][1]
        table.add_row(
            f"against {rival(learner.game, learner.config.strength)}",
            f"{first.text(first.score)} at first, now {_score(last)}",
        )
    return table


def commands(run: Run, learner: Learner) -> list[str]:
    """What to do next, a command a line."""
    game, value = shlex.quote(make(learner.config.game).label), f"value={run.path}"
    two = learner.game.spec.players == 2
    player = f"{search_of(run.path)}:{value}"
    quick, slow = (shlex.quote(f"{player},seconds={seconds}") for seconds in (0.2, 1))
    match = f"match {game} {quick} mcts:iterations=10000 --opening 2"
    where = shlex.quote(str(run.path))
    again = f"--run {where} --resume --minutes {_more(learner)}{_trust(run, learner)}"
    puzzle = f"puzzle {game} {quick} --twists {learner.config.strength.twists or 5}"
    return [
        f"play       glaux play {game} {slow}{'' if two else ' --side none'}",
        f"measure    glaux {match if two else puzzle}",
        f"continue   glaux train {game} {again}",
    ]


def _trust(run: Run, learner: Learner) -> str:
    """The option without which the run can't be resumed from its files, if it names a program or a path."""
    try:
        Run.open(run.path, learner.config.game).allowed()
    except Untrusted:
        return f" --trust {shlex.quote(str(run.path))}"
    return ""


def _more(learner: Learner) -> int:
    """Minutes that are twice what was trained, at least 1."""
    return max(1, round(2 * learner.elapsed / 60))
