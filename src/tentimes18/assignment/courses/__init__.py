"""The courses that arrivals may take, and what slots can expect of each: one kind a file.

`rounds` is a number of rounds, known or random, with a law each; `exact_rounds` is the same in Fractions. `poisson` are
arrivals in time, `endless` those without an end; `regimes` have a law that depends on a state, `batches` several values
at once, `windows` values that are seen some rounds ahead. `course` says what all of them give; `order_statistics` is
hindsight.
"""
