"""The law of a strategy's score.

`law` is what can be read off one. `laws` finds it exactly, with integers in the `packing` that they need, `float_laws`
in float64; `moments` needs no law for mean and variance.
"""
