"""Glaux as an engine for other programs."""
