"""What the server stores: players, deals, games, moves; in SQLite or PostgreSQL, with the same code.

`schema` has the tables, `migrations/` their history, `database` the connections, `writer` the one thread that writes,
with many changes in a commit. The other files read and change one thing each.
"""
