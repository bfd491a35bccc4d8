"""The app in the browser: its files, the HTML around them, and the app as plain files. This room knows no HTTP.

`static/` holds what the browser gets, as it stands: there is no build step. `files` reads it, once; `shell` writes the
HTML of each page, `starts` what the app knows of the named games without asking anybody.
"""
