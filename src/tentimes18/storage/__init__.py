"""What is kept: on disk whole or not at all, in memory while there is room.

`folders` says where and how much, `atomic` writes files whole, `locks` lets in one process at a time, `tables` keeps
solved tables, `compiled` keeps compiled functions; `inventory` tells what lies there, and clears it. `cache` makes each
table once, whoever asks, and keeps it in memory.
"""
