"""The strategies by name, behind one protocol."""
