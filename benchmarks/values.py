"""The speed of value functions, alone, in a search, and learning: ``python benchmarks/values.py``."""

from glaux.bench.values import measure_all
from glaux.cli.bench_values import values_table
from glaux.cli.output import make_console

if __name__ == "__main__":
    make_console().print(values_table(measure_all()))
