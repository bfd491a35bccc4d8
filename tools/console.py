"""Console blocks in the documentation: what they show is what the command prints.

`python -m tools.console` runs every `$ ten18 ...` line in README.md and docs/, and writes its output below it; in
`$ echo WORDS | ten18 ...` the command reads these words. With `--check` it writes nothing and fails where the text
differs.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

ROOT = Path(__file__).resolve().parent.parent
WIDTH = 100
Ten18: TypeAlias = Callable[[Sequence[str], str, dict[str, str]], tuple[int, str, str]]
"""Runs ten18 with arguments, what it reads and variables besides; gives its exit code, its output and its errors."""

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def pages() -> list[Path]:
    """README.md and every page below docs/."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def run_ten18(arguments: Sequence[str], words: str, variables: dict[str, str]) -> tuple[int, str, str]:
    """The command as a process of its own."""
    result = subprocess.run(
        [sys.executable, "-m", "tentimes18", *arguments],
        capture_output=True,
        text=True,
        input=words,
        env={**os.environ, **variables},
        cwd=ROOT,
        check=False,
    )
    return result.returncode, result.stdout, result.stderr


def rendered(text: str, run: Ten18 = run_ten18) -> str:
    """The page with the output of every command as it is now."""
    return _BLOCK.sub(lambda match: f"```console\n{_run_block(match[1], run)}```", text)


def _run_block(block: str, run: Ten18) -> str:
    shown = []
    for line in block.splitlines():
        if line.startswith("$ "):
            shown.append(line + "\n" + _output_of(line[2:], run))
    return "\n".join(shown)


def _output_of(command: str, run: Ten18) -> str:
    """What the command prints, without colour and trailing blanks."""
    words, _, command = command.rpartition(" | ")
    program, *arguments = shlex.split(command)
    if program != "ten18" or (words and not words.startswith("echo ")):
        raise ValueError(f"a console block may run ten18 only, or echo into it, not {command!r}")
    with TemporaryDirectory() as folder:  # no game of the user is shown or changed
        variables = {"NO_COLOR": "1", "COLUMNS": str(WIDTH), "TERM": "dumb", "TEN18_DATA": folder}
        code, out, err = run(arguments, words.removeprefix("echo "), variables)
    lines = (err if code == 2 else out).splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    while lines and not lines[0].strip():
        lines.pop(0)
    return "".join(line.rstrip() + "\n" for line in lines)


def main() -> None:
    """Write, or check, all pages."""
    stale = []
    for page in pages():
        text = page.read_text(encoding="utf-8")
        now = rendered(text)
        if now != text:
            stale.append(str(page.relative_to(ROOT)))
            if "--check" not in sys.argv:
                page.write_text(now, encoding="utf-8")
    sys.stdout.write("".join(f"{name}\n" for name in stale))
    sys.exit(1 if stale and "--check" in sys.argv else 0)


if __name__ == "__main__":
    main()
