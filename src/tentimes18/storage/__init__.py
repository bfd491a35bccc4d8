"""What is kept on disk, whole or not at all: files, folders, and solved tables."""
