"""The routes, one file a topic: each parses, asks, and renders."""
