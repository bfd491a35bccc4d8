"""Try an installed package: `python -m tools.smoke [PATH/TO/ten18]` runs a command of each group and serves a page.

Standard library only, so that it runs beside any environment; without a path it takes the `ten18` of this Python.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic, sleep
from urllib.error import URLError
from urllib.request import urlopen

COMMANDS = (
    ["advise", "--roll", "9", "--json"],
    ["review", "-", "--json"],
    ["solve", "--slots", "1-5", "--json"],
    ["distribution", "--slots", "1-4", "--strategy", "optimal", "--json"],
    ["duel", "response", "--slots", "1-4", "--json"],
)
GAME = b"3d6 1-3: 10@2 14@3 5@1\n"  # for the review
MAX_WAIT = 60.0  # seconds, for the server


def main(command: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="ten18-") as folder:
        environment = {**os.environ, "TEN18_DATA": folder, "TEN18_CACHE": str(Path(folder) / "cache")}
        for arguments in COMMANDS:
            json.loads(subprocess.check_output([*command, *arguments], env=environment, input=GAME))
        subprocess.check_output(
            [*command, "plot", "thresholds", "-o", str(Path(folder) / "thresholds.svg")], env=environment
        )
        serve(command, environment)
    print(f"{len(COMMANDS) + 1} commands and the page work")  # noqa: T201


def serve(command: Sequence[str], environment: Mapping[str, str]) -> None:
    """Start the server, fetch the page and its script, and stop it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    server = subprocess.Popen([*command, "serve", "--port", str(port), "--no-access-log"], env=dict(environment))
    try:
        wait_for(f"{address}/health", server)
        assert b"<!doctype html>" in fetch(address)
        assert b"import" in fetch(f"{address}/static/app/main.js")
    finally:
        server.terminate()
        server.wait(timeout=30)


def wait_for(url: str, server: "subprocess.Popen[bytes]") -> None:
    end = monotonic() + MAX_WAIT
    while True:
        try:
            fetch(url)
            return
        except (URLError, ConnectionError):
            if server.poll() is not None or monotonic() > end:
                raise
            sleep(0.1)


def fetch(url: str) -> bytes:
    with urlopen(url, timeout=10) as answer:
        content: bytes = answer.read()
        return content


if __name__ == "__main__":
    main(sys.argv[1:] or [shutil.which("ten18", path=str(Path(sys.executable).parent)) or "ten18"])
