"""The native core, ``cpp/bindings``, under its name: private, use the names of the package glaux.

The compiled module is ``native``. A wheel for Linux on x86-64 has it twice: beside this file for every
processor of the last fifteen years, and in the folder ``x86-64-v3``, which is looked into first where the
processor has these instructions. A build from source has one, for the machine that built it.

This file is a source, so that import-linter sees who imports it.
"""

from glaux._core.processor import runs_v3

if runs_v3():
    __path__.insert(0, f"{__path__[0]}/x86-64-v3")

from glaux._core.native import *  # noqa: F403
