"""`make test` plays in a real browser: finds the system's Chromium, installs it where it may, or says how to get one.

It may where the system is Debian and the user is root. Elsewhere one line says what to do, and make ends.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

VARIABLE = "TEN18_BROWSER"
NAMES = (
    "chromium-headless-shell",  # the same pages without the windows around them: half the time
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
FIREFOX = ("firefox", "firefox-esr")
PACKAGE = "chromium-headless-shell"
MISSING = (
    f"no browser for the tests: install Chromium (Debian: apt-get install {PACKAGE}), or name a program in {VARIABLE}"
)
RELEASE = Path("/etc/os-release")


def find_browser(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The program: the one that ``TEN18_BROWSER`` names, by its path or its name, or Chromium under a usual name."""
    wanted = environment.get(VARIABLE)
    for name in (wanted,) if wanted else NAMES:
        if found := shutil.which(name, path=environment.get("PATH")):
            return Path(found)
    return None


def find_firefox(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The system's Firefox, if it is installed; it is optional."""
    found = (shutil.which(name, path=environment.get("PATH")) for name in FIREFOX)
    return next((Path(name) for name in found if name), None)


def install_commands(release: str, *, is_root: bool) -> list[list[str]]:
    """What installs the browser on a system with this /etc/os-release; nothing where we may not, or cannot, do so."""
    if not is_root or "ID=debian" not in release.splitlines():
        return []
    return [
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-qq", "--yes", "--no-install-recommends", PACKAGE],
    ]


def main(
    environment: Mapping[str, str] = os.environ,
    commands: Sequence[Sequence[str]] | None = None,
    run: Callable[[Sequence[str]], int] | None = None,
) -> int:
    """0 where there is a browser in the end; otherwise one line on standard error, and 1."""
    if find_browser(environment) is not None:
        return 0
    if not environment.get(VARIABLE):
        if commands is None:
            release = RELEASE.read_text(encoding="utf-8") if RELEASE.exists() else ""
            commands = install_commands(release, is_root=os.geteuid() == 0)
        for command in commands:
            if (run or _run)(command) != 0:
                break
        if find_browser(environment) is not None:
            return 0
    sys.stderr.write(f"{MISSING}\n")
    return 1


def _run(command: Sequence[str]) -> int:
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    with Path(os.devnull).open("wb") as nowhere:
        return subprocess.run(command, env=os.environ | quiet, stdout=nowhere, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
