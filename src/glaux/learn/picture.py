"""A run as a notebook shows it: what it is, how far it has come, and its curve of strength."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from glaux.words import plural

if TYPE_CHECKING:
    from glaux.learn.run import Run

WIDTH, HEIGHT, LEFT, BELOW = 420, 180, 42, 26


def run_html(run: Run) -> str:
    """A table of facts and the curve."""
    config, matches, curve = run.config, run.columns(), run.curve()
    facts = {
        "game": config.game,
        "learner": config.learner,
        "matches": f"{int(matches['match'][-1]):,}" if matches else "0",
        "seconds": f"{float(matches['elapsed'][-1]):,.0f}" if matches else "0",
        "strength against": config.strength.opponent,
    }
    rows = "".join(f"<tr><th>{name}</th><td>{escape(str(fact))}</td></tr>" for name, fact in facts.items())
    drawn = curve_svg(curve) if curve and len(curve["score"]) else ""
    return f"<div><b>{escape(str(run.path))}</b><table>{rows}</table>{drawn}</div>"


def curve_svg(curve: dict[str, Any]) -> str:
    """Scores with their 95% intervals over the seconds of training."""
    last = max(float(curve["elapsed"][-1]), 1e-9)
    low, high = min(0.0, float(curve["low"].min())), max(1.0, float(curve["high"].max()))

    def x(elapsed: float) -> float:
        return LEFT + elapsed / last * (WIDTH - LEFT - 10)

    def y(score: float) -> float:
        return 10 + (high - score) / (high - low) * (HEIGHT - BELOW - 10)

    points = list(zip(*(curve[name].tolist() for name in ("elapsed", "score", "low", "high")), strict=True))
    line = " ".join(f"{x(at):.1f},{y(score):.1f}" for at, score, _, _ in points)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="11"><title>Strength during '
        "training</title>"
    ]
    for score in (low, (low + high) / 2, high):
        text = f"{score:.0%}" if (low, high) == (0.0, 1.0) else f"{score:.3g}"
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - 10}" y1="{y(score):.1f}" y2="{y(score):.1f}" stroke="#ddd"/>'
            f'<text x="{LEFT - 6}" y="{y(score) + 4:.1f}" text-anchor="end">{text}</text>'
        )
    parts += [
        f'<line x1="{x(at):.1f}" x2="{x(at):.1f}" y1="{y(a):.1f}" y2="{y(b):.1f}" stroke="#9ab8d8"/>'
        f'<circle cx="{x(at):.1f}" cy="{y(score):.1f}" r="3" fill="#2f62b5"/>'
        for at, score, a, b in points
    ]
    parts.append(f'<polyline points="{line}" fill="none" stroke="#2f62b5"/>')
    trained = f"{plural(round(last), 'second')} of training"
    parts.append(f'<text x="{WIDTH - 10}" y="{HEIGHT - 8}" text-anchor="end">{trained}</text>')
    return "".join(parts) + "</svg>"
