"""Which learner a configuration asks for."""

from __future__ import annotations

from pathlib import Path

from glaux.learn.config import Config
from glaux.learn.td import TDTrainer
from glaux.learn.trainer import Trainer
from glaux.learn.training import Training

LEARNERS: dict[str, type[Training]] = {"athenan": Trainer, "td": TDTrainer}


def make_training(config: Config, saved: Path | None = None) -> Training:
    """The training that the configuration describes; with a ``saved`` value function it goes on with that."""
    return LEARNERS[config.learner](config, saved)
