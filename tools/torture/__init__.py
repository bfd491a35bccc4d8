"""The tests of `make torture`: load, kills, cuts, races, secrecy and fairness of the service, each with its bound."""
