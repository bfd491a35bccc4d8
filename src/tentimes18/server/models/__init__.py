"""What is sent and what is answered, one file a topic."""
