"""Files that need what `make site` alone installs are not collected."""

collect_ignore = ["site/docstrings.py"]
