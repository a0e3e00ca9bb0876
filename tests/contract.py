"""The contract of every game, which the package has for its users: ``glaux check``."""

from glaux.rules.contract import check_encoding, check_match, check_spec, check_symmetries

__all__ = ["check_encoding", "check_match", "check_spec", "check_symmetries"]
