"""Tests of glaux._core: what no call of it may do."""
