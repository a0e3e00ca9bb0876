"""Measurements of speed, each beside what it is compared with."""
