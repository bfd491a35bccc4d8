"""The app in the browser. `static/` holds what the browser gets: there is no build step. Nothing here knows HTTP.

`static_files` reads the files once, `page_html` writes the HTML of each page, and the app as plain files.
"""
