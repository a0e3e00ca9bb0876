"""Searches: unbounded minimax, Descent, alpha-beta and MCTS, and the trees they leave."""
