"""The service: games on the web. The only room that knows HTTP.

`app` puts it together, `server` runs it; `routes/` parse, ask and render; `store/` keeps what is played, in SQLite or
PostgreSQL; `views` decides what a player may see of a game.
"""
