"""The law of a strategy's score.

`score_law` is what can be read off one. `exact_laws` finds it exactly, with integers in the `packing` that they need,
`float_laws` in float64; `moments` needs no law for mean and variance.
"""
