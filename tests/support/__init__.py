"""What tests share: random games and records, processes, the command, a terminal. Fixtures stand in conftest.py."""
