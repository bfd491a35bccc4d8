"""Pictures (matplotlib): one file a subject, in one style."""
