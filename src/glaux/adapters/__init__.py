"""Our games where other libraries expect theirs: PettingZoo, Gymnasium and OpenSpiel.

Each module needs its library, which the extra ``adapters`` installs.
"""
