"""The duel: two players on the same rolls.

`windows` says which positions there are, `outcome` what the chances of one are called. `response` is the best play
against a rule, `equilibrium` that against anyone, `path` follows both from the start. `cycle` proves in fractions that
rules beat each other in a circle, and `own_rolls` is the duel where each rolls own dice.
"""
