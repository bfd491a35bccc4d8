"""What a process does beside answering."""
