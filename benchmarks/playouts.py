"""Random matches a second of every game, beside OpenSpiel's: ``python benchmarks/playouts.py``."""

from glaux.bench.playouts import measure_all
from glaux.cli.bench import playouts_table
from glaux.cli.output import make_console

if __name__ == "__main__":
    make_console().print(playouts_table(measure_all()))
