"""The speed of trainings and where their time goes: ``python benchmarks/train.py``."""

from glaux.bench import train
from glaux.cli.bench_train import train_table
from glaux.cli.output import make_console

if __name__ == "__main__":
    make_console().print(
        train_table(train.measure(game, family, 20.0) for game in train.GAMES for family in train.FAMILIES)
    )
