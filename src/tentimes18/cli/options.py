"""Options that several commands share, and whether a file can be written."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from tentimes18.files import verify_ending, verify_place

__all__ = [
    "AimOption",
    "Device",
    "DeviceOption",
    "DiceOption",
    "JsonOption",
    "MovesOption",
    "OnlyDiceOption",
    "OnlySlotsOption",
    "OutputOption",
    "SlotsOption",
    "StrategyOption",
    "verify_output",
]


class Device(StrEnum):
    """What computes."""

    cpu = "cpu"
    cuda = "cuda"


DeviceOption: TypeAlias = Annotated[
    Device, typer.Option("--device", help="The processor, or an NVIDIA GPU (needs the extra gpu).")
]
DiceOption: TypeAlias = Annotated[
    str,
    typer.Option("--dice", metavar="DICE", help="3d6, 2d12:12=2, d{1,2,3,5,8}, 4d6kh3, 1d6!, or a sum like 2d6+1d8-3."),
]
SlotsOption: TypeAlias = Annotated[
    str, typer.Option("--slots", metavar="SLOTS", help="Multipliers: a range like 1-10 or a list like 1,3,5,7,9.")
]
StrategyOption: TypeAlias = Annotated[
    str, typer.Option("--strategy", metavar="NAME", help="optimal, random, hindsight, target:700, cvar:0.1, ...")
]
MovesOption: TypeAlias = Annotated[
    str, typer.Option("--moves", metavar="MOVES", help="A game in play, like '8@5 4@1': rolls and their slots.")
]
AimOption: TypeAlias = Annotated[
    str,
    typer.Option("--aim", metavar="AIM", help="What counts: mean, target:700, duel, duel:optimal, duel:nearest, ..."),
]
OnlyDiceOption: TypeAlias = Annotated[
    str | None, typer.Option("--dice", metavar="DICE", help="Only games with these dice.", show_default="all")
]
OnlySlotsOption: TypeAlias = Annotated[
    str | None, typer.Option("--slots", metavar="SLOTS", help="Only games on these slots.", show_default="all")
]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]
OutputOption: TypeAlias = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="File to write.")]


def verify_output(path: Path, endings: tuple[str, ...], option: str = "output") -> None:
    """Raise before any work where the file could not be written; without ``endings`` any will do."""
    if endings:
        verify_ending(path, endings, option)
    verify_place(path, option)
