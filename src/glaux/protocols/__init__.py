"""What other programs speak: GTP and UCI, their grammar, and the processes that speak them."""
