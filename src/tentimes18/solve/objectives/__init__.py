"""Best play for something else than the mean.

`table` is what all objectives share, `means` what decides between equal moves, `best_play` how one plays by them.
`chances` has the best chance of every target, and `quantile` reads the best quantile from it; `shortfall` serves the
worst share of games, `expected_utility` any of the `utilities`. `front` compares what they cost in the mean.
"""
