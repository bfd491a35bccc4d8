"""The review as a page."""
