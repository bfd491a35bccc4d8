"""The classes of the table, in its order."""

from collections.abc import Callable, Iterator
from typing import Final

from tools.torture import days, disk, forgery, junk, kills, load, machines, power, races, rolls, secrecy, truth
from tools.torture.yard import Row, Yard

__all__ = ["ALL"]

ALL: Final[dict[str, Callable[[Yard], Iterator[Row]]]] = {
    "load": load.run,
    "overload": load.overload,
    "kills": kills.run,
    "power": power.run,
    "disk": disk.run,
    "races": races.run,
    "time": days.run,
    "secrecy": secrecy.run,
    "fairness": rolls.run,
    "forgery": forgery.run,
    "junk": junk.run,
    "truth": truth.run,
    "machines": machines.run,
}
