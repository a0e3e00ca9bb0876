"""``glaux soak``: everything at once for hours, to find what only hours and kills show."""
