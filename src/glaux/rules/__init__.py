"""Games as Python sees them: the contract, the registry, and rules written in Python."""
