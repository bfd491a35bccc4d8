"""What a value may be: laws with a mean and φ(t) = E[min(X, t)].

`law` says what the solver needs of one, `cells` in which form the kernels take it. `finite` are dice, samples and
constants, `uniform` and `families` closed forms, `lattice` laws on the integers, `mixtures` mixtures of any of them,
`tabulated` whatever has chances P(X > t), or a φ of its own; `virtual` is what a value is worth to a seller. `reading`
makes a law of what is given, `text` of its notation.
"""
