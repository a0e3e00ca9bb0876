"""``python -m glaux``: the command line."""

from glaux.cli import main

main()
