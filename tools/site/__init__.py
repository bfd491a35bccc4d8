"""The documentation as a site: its pages, made from docs/ and the docstrings, and what is checked of it."""
