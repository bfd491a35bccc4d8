"""What tests share: random games and records, the command as a process, a terminal."""
