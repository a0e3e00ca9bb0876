"""All the targets in Python."""

from tests.fuzz import bindings, files, network, texts
from tests.fuzz.target import TARGETS

__all__ = ["TARGETS", "bindings", "files", "network", "texts"]
