"""Puts another build of the native core in the place of the installed one: that with sanitizers.

``GLAUX_NATIVE`` names its file. Import this before glaux; with pytest, ``-p tests.fuzz.sanitized``. The
sanitizers' library has to be preloaded, as ``make sanitize-python`` and ``make fuzz`` do.
"""

import importlib.util
import os
import sys

NAME = "glaux._core.native"


def take_place(path: str) -> None:
    assert NAME not in sys.modules, "too late: the installed core is there already"
    spec = importlib.util.spec_from_file_location(NAME, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = module
    spec.loader.exec_module(module)


if "GLAUX_NATIVE" in os.environ:
    take_place(os.environ["GLAUX_NATIVE"])
