"""Strategies of a user's own, as text: those that play, and those that fail in every way."""

from typing import Final

MINE: Final = """
from tentimes18.game import slots_of

def highest(board, roll):
    return board.free.bit_length()

def third(board, roll):
    return 3

def long(board, roll):
    raise ValueError("line one\\nline two " + "x" * 10_000)

def exits(board, roll):
    raise SystemExit(7)

def talks(board, roll):
    print("hello")
    return board.free.bit_length()

number = 5
"""
