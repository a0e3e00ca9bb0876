"""The report: a list of headings, paragraphs, tables and pictures, written as Markdown and as HTML.

The HTML holds its pictures, so that it is one file that can be sent.
"""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from glaux.arena.bootstrap import Estimate
from glaux.directories import replace_file
from glaux.errors import MissingExtra
from glaux.experiments.claims import CONFIRMED, NOT_CONFIRMED, Verdict
from glaux.experiments.figures import WORDS, budget, label, write_figures
from glaux.experiments.plan import made
from glaux.experiments.results import Results
from glaux.experiments.spec import MEAN
from glaux.experiments.summary import Outcome
from glaux.words import plural

FIGURES, STATISTICS, MARKDOWN, HTML = "figures", "statistics.json", "report.md", "report.html"
MARKS = {CONFIRMED: "✓ ", NOT_CONFIRMED: "✗ "}
STYLE_SHEET = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1c2733; max-width: 60rem; margin: 2rem auto }
body { padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0; font-size: 0.9rem; font-variant-numeric: tabular-nums }
th, td { padding: 0.25rem 0.7rem; border-bottom: 1px solid #dfe4ea; text-align: right }
td { white-space: nowrap } td:first-child { white-space: normal }
th:first-child, td:first-child { text-align: left }
th { border-bottom: 2px solid #5d6b7a; vertical-align: bottom }
img { max-width: 100% } .wide { overflow-x: auto } p { max-width: 46rem }
"""


@dataclass(frozen=True)
class Heading:
    """Of a part; level 1 is the title."""

    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    """Plain text."""

    text: str


@dataclass(frozen=True)
class Table:
    """Cells of text; all but the first column are figures."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Picture:
    """A figure: its file without the ending, and what is on it."""

    name: str
    text: str


Block = Heading | Paragraph | Table | Picture


def write_report(path: Path, outcome: Outcome) -> str:
    """Write statistics, figures and report into the directory; why there are no figures, if so."""
    content = json.dumps(outcome.summary(), indent=2, ensure_ascii=False) + "\n"
    replace_file(path / STATISTICS, content.encode())
    trouble = ""
    try:
        drawn = write_figures(path / FIGURES, outcome)
    except MissingExtra as error:
        drawn, trouble = {}, str(error)
    blocks = list(_blocks(outcome, drawn))
    replace_file(path / MARKDOWN, markdown(blocks).encode())
    replace_file(path / HTML, page(blocks, outcome.plan.experiment.title, path / FIGURES).encode())
    return trouble


# What it says


def _blocks(outcome: Outcome, drawn: dict[str, list[str]]) -> Iterator[Block]:
    plan, experiment = outcome.plan, outcome.plan.experiment
    played = sum(sum(results.games.values()) for results in outcome.results.values())
    yield Heading(1, experiment.title)
    yield Paragraph(f"{experiment.source}. {experiment.about}".strip())
    yield Paragraph(
        f"Scale {plan.scale_name}: {plan.whole.scales[plan.scale_name].about} "
        f"Games: {len(plan.games)}; repetitions: {plan.repetitions}; per run: {budget(outcome)}; "
        f"seed {plan.seed}. {len(outcome.trained)} of {plural(len(plan.trainings()), 'training run')} and "
        f"{plural(played, 'game')} are done."
    )
    if outcome.verdicts:
        yield Heading(2, "The claims")
        yield _claims_table(outcome.verdicts)
        yield Paragraph(
            "Differences are in percentage points, with stratified bootstrap intervals (95%, over the "
            "repetitions of each game; not corrected). p is one-sided: the exact Wilcoxon signed-rank test "
            "over the repetitions of all games, or the exact binomial test against an opponent that is the "
            "same for all; corrected together by Holm's method. Below 0.05 a claim is confirmed, or, if the "
            "opposite is, not confirmed; else it is undecided at this scale."
        )
    for name, results in outcome.results.items():
        if results.rows:
            yield from _play_blocks(outcome, results, drawn.get(name, []))
    yield Heading(2, "Training runs")
    yield _work_table(outcome)


def _claims_table(verdicts: list[Verdict]) -> Table:
    rows = []
    for verdict in verdicts:
        weakest = min(verdict.comparisons, key=lambda one: one.estimate.mean, default=None)
        measured = "" if weakest is None else _points(*_values(weakest.estimate))
        several = len(verdict.comparisons) > 1 and weakest is not None
        rows.append(
            [
                verdict.claim.text,
                "" if verdict.claim.published is None else f"{verdict.claim.published:+.1f}",
                f"{measured} (over {weakest.than})" if several and weakest else measured,
                "" if verdict.p is None else p_text(verdict.p),
                f"{MARKS.get(verdict.verdict, '')}{verdict.verdict}",
            ]
        )
    return Table(["claim", "published", "difference here", "p", "verdict"], rows)


def _play_blocks(outcome: Outcome, results: Results, figures: list[str]) -> Iterator[Block]:
    play, rows = results.play, results.rows
    yield Heading(2, play.headline)
    words = "puzzles solved" if play.twists else WORDS[play.measure]
    yield Paragraph(
        f"{plural(sum(results.games.values()), 'game')}. The table has {words} in percent"
        f"{' at the last stage' if play.stages == 'all' else ''}, the mean over repetitions; the last rows "
        "have the mean of the games with its 95% interval."
    )
    body = [[label(game), *(_cell(results.mean(game, row)) for row in rows)] for game in results.played]
    means = [results.estimate(row) for row in rows]
    body.append(["mean of the games", *(_cell(found.mean if found else None) for found in means)])
    body.append(["95% interval", *(_interval(found) for found in means)])
    published = outcome.published(play.name, MEAN)
    if published:
        body.append(["published, these games", *(_published(published.get(row)) for row in rows)])
    ratings = results.ratings()
    if ratings is not None:
        rated = ratings.players[: len(rows)]
        body.append(["Elo", *(f"{rating.elo:+.0f}" for rating in rated)])
        body.append(["its 95% interval", *(rating.interval for rating in rated)])
    times = [
        [results.times[game, row] for game in results.played if (game, row) in results.times] for row in rows
    ]
    means_ms = [1000 * sum(t.seconds for t in ones) / max(1, sum(t.choices for t in ones)) for ones in times]
    body.append(["ms per move", *(f"{ms:.3g}" for ms in means_ms)])
    yield Table(["", *rows.values()], body)
    taus = outcome.taus(play.name)
    if taus:
        listed = ", ".join(
            f"{'mean of the games' if game == MEAN else made(game).spec.title} {tau:+.2f}"
            for game, tau in taus.items()
        )
        yield Paragraph(f"Kendall's tau between the published ranking of the columns and this one: {listed}.")
    for figure in figures:
        yield Picture(figure, f"{play.headline}: {figure.rpartition('-')[2]}")


def _work_table(outcome: Outcome) -> Table:
    experiment, work = outcome.plan.experiment, outcome.work()
    columns = {"matches": "matches", "learned": "states learned", "evaluations": "evaluations"}
    if any(means["calls"] for means in work.values()):
        columns["calls"] = "network calls"
    rows = []
    for name, means in work.items():
        figures = [f"{means[key]:,.0f}" for key in columns]
        rows.append([experiment.combination(name).title, *figures, f"{means['seconds']:,.1f}"])
    return Table(["mean of the training runs", *columns.values(), "seconds"], rows)


def p_text(p: float) -> str:
    """A p-value as papers write it."""
    return f"{p:.2g}" if p >= 1e-3 else f"{p:.1e}"


def _values(found: Estimate) -> tuple[float, float, float]:
    return 100 * found.mean, 100 * found.low, 100 * found.high


def _points(mean: float, low: float, high: float) -> str:
    return f"{mean:+.1f} ({low:+.1f} to {high:+.1f})"


def _cell(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f}%"


def _published(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}%"


def _interval(found: Estimate | None) -> str:
    return "" if found is None else "{1:.1f} to {2:.1f}".format(*_values(found))


# How it is written


def markdown(blocks: Sequence[Block]) -> str:
    """The report as Markdown; pictures are beside it."""
    parts = []
    for block in blocks:
        match block:
            case Heading(level, text):
                parts.append(f"{'#' * level} {text}")
            case Paragraph(text):
                parts.append(text)
            case Picture(name, text):
                parts.append(f"![{text}]({FIGURES}/{name}.png)")
            case Table(head, rows):
                lines = ["| " + " | ".join(_piped(head)) + " |", "|---|" + "---:|" * (len(head) - 1)]
                parts.append("\n".join([*lines, *("| " + " | ".join(_piped(row)) + " |" for row in rows)]))
    return "\n\n".join(parts) + "\n"


def _piped(cells: Sequence[str]) -> list[str]:
    return [cell.replace("|", "\\|") for cell in cells]


def page(blocks: Sequence[Block], title: str, figures: Path) -> str:
    """The report as one HTML file, with its pictures inside."""
    parts = []
    for block in blocks:
        match block:
            case Heading(level, text):
                parts.append(f"<h{level}>{html.escape(text)}</h{level}>")
            case Paragraph(text):
                parts.append(f"<p>{html.escape(text)}</p>")
            case Picture(name, text):
                data = base64.b64encode((figures / f"{name}.png").read_bytes()).decode()
                parts.append(f'<img alt="{html.escape(text)}" src="data:image/png;base64,{data}">')
            case Table(head, rows):
                top = "".join(f"<th>{html.escape(cell)}</th>" for cell in head)
                body = "".join(
                    f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows
                )
                parts.append(f'<div class="wide"><table><tr>{top}</tr>{body}</table></div>')
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>\n'
        f"<style>{STYLE_SHEET}</style>\n" + "\n".join(parts) + "\n</html>\n"
    )
