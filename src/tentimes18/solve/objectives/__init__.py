"""Best play for something else than the mean: a chance, a utility, a quantile, the worst share."""
