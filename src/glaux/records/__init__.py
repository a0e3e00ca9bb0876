"""Records of matches: what they hold, and the files that keep them."""
