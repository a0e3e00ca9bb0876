"""The speed of every search on every game, its cost in front of Python, and its growth.

``python benchmarks/search.py``
"""

from glaux.bench import search
from glaux.cli.bench import growth_table, overhead_table, search_table
from glaux.cli.output import make_console
from glaux.rules.registry import games, make

if __name__ == "__main__":
    console = make_console()
    console.print(search_table(search.measure_all()))
    console.print(overhead_table(row for name in games() for row in search.measure_overhead(make(name), 2.0)))
    pairs = search.GROWTH_SEARCHES
    console.print(
        growth_table(row for name, kind in pairs for row in search.measure_growth(make(name), kind))
    )
