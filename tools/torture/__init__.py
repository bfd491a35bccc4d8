"""What the service must stand: the classes of docs/torture.md, each in a file, run by `make torture`."""
