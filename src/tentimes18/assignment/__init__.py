"""The problem behind the game: values arrive one by one, and each must at once be given to a free slot."""

from tentimes18.assignment.thresholds import Law, law_thresholds

__all__ = ["Law", "law_thresholds"]
