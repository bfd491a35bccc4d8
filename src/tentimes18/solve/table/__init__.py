"""More than two: several strategies at one table, on the same rolls; the highest score wins, and is shared where equal.

`seats` says who sits there, `gains` how far behind is too far. `shares` follows all of them from the start: how much of
the wins is whose, and who gains from whose company. `response` is the best play of one who sees all boards. `circle`
looks for three rules that do well by each other in a circle, in fractions. `plans` has what they take.
"""
