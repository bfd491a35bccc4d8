"""The game, exactly: one algorithm a file, its mathematics in the docstring of that file.

The best mean: `thresholds` in polynomial time, and the same with any number of digits in `decimal_thresholds`, in
float64 in `float_thresholds`; `subsets` over all sets of free slots, and `float_subsets`. What follows from it:
`values` of positions and moves, `rules` and as arrays `rule_slots`, `closest` calls. `hindsight` and `float_hindsight`
know all rolls beforehand.

`scores/` has the laws of scores, `objectives/` best play for something else than the mean, `duel/` two players on the
same rolls. All of them count scores on the `lattice` of a game, where `moves` says what a roll does, and run
through `layers` in threads.
"""
