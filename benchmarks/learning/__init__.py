"""Baselines: agents that learn the classic game, judged by their regret. `python -m benchmarks.learning`."""
