"""Real services under load, kills, power cuts and lies: `make torture`."""
