"""A sum as people read it: each number under its name, side by side, or below each other in a narrow window."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.text import Text

__all__ = ["Account", "Amount"]


class Amount(NamedTuple):
    """A part of a sum: the sign before it, its name, and the number."""

    sign: str
    name: str
    number: str


@dataclass(frozen=True)
class Account:
    """The parts of a sum, in order; no number of it is ever cut."""

    parts: tuple[Amount, ...]

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        lines = list(self._side_by_side())
        yield from lines if max(map(len, lines)) <= options.max_width else self._below_each_other()

    def _side_by_side(self) -> "Iterator[Text]":
        from rich.text import Text

        widths = [max(len(part.name), len(part.number)) for part in self.parts]
        names = [f"  {part.name:>{width}}" for part, width in zip(self.parts, widths, strict=True)]
        numbers = [f"{part.sign:1} {part.number:>{width}}" for part, width in zip(self.parts, widths, strict=True)]
        yield Text(f" {' '.join(names)}".rstrip(), style="dim", no_wrap=True)
        yield Text(f" {' '.join(numbers)}".rstrip(), style="bold", no_wrap=True)

    def _below_each_other(self) -> "Iterator[Text]":
        from rich.text import Text

        names, numbers = (max(len(part[place]) for part in self.parts) for place in (1, 2))
        for part in self.parts:
            line = Text(f" {part.sign:1} ", style="bold", no_wrap=True)
            yield line.append(f"{part.name:<{names}}  ", "dim not bold").append(f"{part.number:>{numbers}}")
