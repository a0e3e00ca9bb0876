"""The native core, ``cpp/bindings``, under its name: private, use the names of the package glaux.

The compiled module is ``native``. This file is a source, so that import-linter sees who imports it.
"""

from glaux._core.native import *  # noqa: F403
