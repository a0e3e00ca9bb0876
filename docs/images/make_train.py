"""Draws docs/images/train.svg: the display of a training of Connect Four, after 75 seconds of it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from rich.console import Console

from glaux.cli.train_display import dashboard
from glaux.learn.preset import configure, find_preset
from glaux.learn.registry import change_config
from glaux.learn.run import Run
from glaux.learn.training import Status, Training

SECONDS = 75.0


def main() -> None:
    """Train, and keep the last picture."""
    console = Console(record=True, width=100, force_terminal=True)
    config = change_config(configure("connect_four", find_preset("connect_four")), ["strength.every=10"])
    with tempfile.TemporaryDirectory() as folder:
        run = Run.create(Path(folder) / "run", config)
        learner = run.resume()
        shown = Run(Path("runs/demo"))  # the name that the picture shows
        last = []

        def keep(status: Status) -> None:
            if status.latest is not None and status.latest.elapsed > SECONDS * 0.9:
                last.append(dashboard(shown, learner, status))

        Training(run, learner, seconds=SECONDS, observer=keep).go()
    console.print(last[-1])
    console.save_svg("docs/images/train.svg", title="glaux train connect_four")


if __name__ == "__main__":
    main()
