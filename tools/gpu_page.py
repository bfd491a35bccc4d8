"""docs/gpu.md, and the table of sizes in docs/duel.md, from what `make gpu` has found."""

from pathlib import Path
from typing import Final

FACTS: Final = Path(__file__).with_name("gpu_facts.json")


def write_page() -> None:
    """Write docs/gpu.md."""
