"""The service: games on the web. The only room that knows HTTP.

`app` puts it together, `life` opens and closes what a process needs, `server` runs it. A request passes the `edge`,
comes to one of the `routes`, which parse, ask and render, by `models` that are strict. `store` keeps what is played, in
SQLite or PostgreSQL; `views` decides what a player may see of a game; whatever is raised becomes a document in
`problems`.
"""
