"""A question in, a JSON-ready answer out: what the command prints with `--json`, and what a page is served.

One file a topic. An answer is a `TypedDict` of plain numbers, texts, lists and dicts; where a table for people needs
more than its JSON, the file gives what was solved as well. `positions` reads the texts that say what a question is
about, `numbers` writes the numbers of an answer. Names of strategies are data here, unless the caller gives a `find`
that loads code as well.
"""
