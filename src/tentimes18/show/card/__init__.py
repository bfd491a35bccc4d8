"""The strategy card: its `content` and layout, the `page` of A4, its texts (`sheet`), and its `drawing` as PDF."""
