"""What is kept: on disk whole or not at all, in memory while there is room.

`folders` says where, `atomic` writes files whole, `tables` keeps solved tables in them. `cache` makes each table once,
whoever asks, and keeps it in memory.
"""
