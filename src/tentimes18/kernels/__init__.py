"""Compiled inner loops: arrays in, arrays out. They own no memory that lasts, know no objects, and draw no lots.

`types` has the named tuples of arrays that they take. The others are called by the file of `solve`, `simulate` or
`coach` that holds their mathematics:

- `thresholds`, `subsets`, `scores`, `objectives`, `means`: this game alone;
- `windows`, `matrix`: what all duels need; `response`, `equilibrium`, `against_equilibrium`: every position, from the
  end; `duel_path`, `duel_play`: those that two players come to, from the start;
- `simulate`, `review`: many games at once, played here or by others.

`compiled` compiles them, and keeps the result on disk where it can.
"""
