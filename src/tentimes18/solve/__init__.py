"""The game, exactly: one algorithm per file, its mathematics in the docstring.

- The best mean: `thresholds` in polynomial time, in exact numbers or with any number of digits, and `float_thresholds`;
  `subsets` over all sets of free slots, and `float_subsets`; `closest_calls`, and `prism_model` for model
  checkers. `hindsight` knows all rolls beforehand.
- Scores: `score_distribution` is what can be read off a distribution, `rule_distributions` computes it exactly,
  `float_distributions` in float64, and `moments` its mean and variance alone.
- Other aims than the mean: `aims` (targets, quantiles, the worst share, `utilities`), read off `aim_tables`, which
  `aim_kernels` fill and best play follows.

All count scores on the `lattice` of a game. `move_arrays` has what kernels take, and `parallel` runs them in threads.
"""

from tentimes18.files import modules_of

__getattr__, __dir__ = modules_of(__name__, __path__)
