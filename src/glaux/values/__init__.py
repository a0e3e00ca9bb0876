"""Value functions that learn: n-tuple networks and neural networks, behind one interface."""
