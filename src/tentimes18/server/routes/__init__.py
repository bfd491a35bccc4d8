"""The routes, one file per topic: each parses a request, asks for the answer, and renders it."""
