"""The review of played games as one page for a browser."""
