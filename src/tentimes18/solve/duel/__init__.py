"""Two players on the same rolls: responses to a rule, and the equilibrium."""
