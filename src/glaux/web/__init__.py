"""The page to play in the browser: ``glaux serve``. Needs the extra ``web``."""
