"""Millions of games on the same rolls, counted; tournaments; the same on a cluster."""
