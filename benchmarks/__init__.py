"""What we claim about speed, memory and accuracy, measured beside the peers in one run: ``python -m benchmarks``."""
