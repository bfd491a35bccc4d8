"""Compiled inner loops: arrays in, arrays out. They own no memory that lasts, know no objects, and draw no lots."""
