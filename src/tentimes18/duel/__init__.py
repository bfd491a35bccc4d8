"""The duel: two players, or several, on the same rolls.

`lead_windows` says which positions exist, `equilibrium` is the best play of both and `certificate` its proof,
`best_response` the best play against a rule; `play_out` follows both from the start. `response_cycle` proves in
fractions that rules beat each other in a circle, `own_rolls` is the duel in which each player rolls their own dice.
"""

from tentimes18.files import modules_of

__getattr__, __dir__ = modules_of(__name__, __path__)
