"""What is kept: on disk whole or not at all, in memory while there is room.

`folders` says where and how much, `atomic` writes files whole, `tables` keeps solved tables in them, `compiled` keeps
compiled functions; `inventory` tells what lies there, and clears it. `cache` makes each table once, whoever asks, and
keeps it in memory.
"""
