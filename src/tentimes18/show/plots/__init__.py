"""Pictures, one file a topic: best play (`moves`), `scores`, other `aims`, a played `game`, a `review`, a `summary`.

`style` has what they share.
"""
