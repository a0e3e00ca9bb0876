"""Learning from self-play: what is learned of a match, what is kept, what is played."""
