"""Pictures by topic: best play (`moves`), `scores`, other `objectives`, a played `game`, a `review`, a `summary`.

`style` has what they share.
"""
