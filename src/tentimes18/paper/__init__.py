"""The paper's tables and claims, with ours beside them.

`sections` goes through the paper in its order: `the_game` (sections 1 to 3), `best_play` (4 to 6), `scores` (7 and 8)
and `variants` (9 and 10). `checks` says what agrees, `printed_tables` is what the paper prints.
"""
