"""The speed of learning by temporal differences: ``python benchmarks/td.py``."""

from glaux.bench import td
from glaux.cli.bench_td import td_table
from glaux.cli.output import make_console

if __name__ == "__main__":
    rows = [td.measure(game, lambda_, 10.0) for game in td.GAMES for lambda_ in td.lambdas(game)]
    make_console().print(td_table(row for pair in rows for row in pair))
