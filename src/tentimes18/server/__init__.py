"""The server: games on the web. No other part of the package knows HTTP.

`app` assembles the application, `state` holds what its handlers share, `server` runs it. A request passes the
`middleware` and reaches one of the `routes`, which parse it strictly, ask for the answer and render it. `store` holds
the games, in SQLite or PostgreSQL; `views` decides what a player may see of a game; `problems` turns errors into
problem documents.
"""
