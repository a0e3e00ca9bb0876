"""Those who choose actions in a match, and the texts that name them."""
