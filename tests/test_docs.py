"""The documentation says what the program does: commands in it run, and print what is shown."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import typer.main

from tentimes18.app.static_files import app_files
from tentimes18.cli import make_app
from tentimes18.queries import distributions
from tentimes18.queries import games as query_games
from tentimes18.server import bot_tables, calculator, identity, live, names, query_process, server
from tentimes18.server.routes import daily, games, lab, me, own_games
from tentimes18.server.store import games as stored_games
from tentimes18.server.store import ratings
from tests.support.command import run_here
from tools import service_docs
from tools.console import ROOT, commands, pages, rendered, run_ten18

PAGES = pages()


def names_of(command: object, name: str) -> Iterator[str]:
    yield name
    for inner, child in getattr(command, "commands", {}).items():
        yield from names_of(child, f"{name} {inner}")


def run_quickly(arguments: Sequence[str], words: str, variables: dict[str, str]) -> tuple[int, str, str]:
    result = run_here(*arguments, stdin=words, **variables)
    return result.code, result.out, result.err


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_console_blocks_show_what_the_command_prints(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = page.read_text(encoding="utf-8")
    assert rendered(text, run_quickly) == text, "run `make docs`"


@pytest.mark.parametrize(
    "line",
    [
        "ten18 solve --slots 1-3",
        "ten18 play --help",
        "ten18 solve --dice x",
        "echo 1 2 3 | ten18 play --slots 1-3 --seed 18",
    ],
)
def test_a_process_of_its_own_prints_the_same(line: str) -> None:
    """As `make docs` runs it."""
    block = f"```console\n$ {line}\n```"
    assert rendered(block, run_ten18) == rendered(block, run_quickly) != block


def test_every_command_is_documented() -> None:
    shown = set(commands((ROOT / "docs" / "commands.md").read_text(encoding="utf-8")))
    assert {f"{name} --help" for name in names_of(typer.main.get_command(make_app()), "ten18")} == shown


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)\)", text) + re.findall(r'src="([^"]+)"', text)
    missing = [target for target in targets if "://" not in target and not (page.parent / target).exists()]
    assert missing == []


def test_make_targets_in_the_texts_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for name in ("README.md", "CONTRIBUTING.md"):
        named = set(re.findall(r"(?:^    |`)make ([a-z]+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))
        assert named <= targets, name


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = sorted(int(path.name[:4]) for path in (ROOT / "docs" / "decisions").glob("*.md"))
    assert numbers == list(range(1, len(numbers) + 1))


def test_files_in_the_texts_exist() -> None:
    """A path in the texts is one of the project, of the package, or of the tests; mine.py is the reader's own."""
    tops = (ROOT, ROOT / "src" / "tentimes18", ROOT / "tests")
    path = re.compile(r"`([a-z_0-9]+(?:/[a-z_0-9]+)*(?:/|\.py|\.css|\.txt))`")
    for page in (*PAGES, ROOT / "CONTRIBUTING.md"):
        named = set(path.findall(page.read_text(encoding="utf-8"))) - {"mine.py"}
        missing = {name for name in named if not any((top / name).exists() for top in tops)}
        assert missing == set(), page.name


def test_the_tables_of_the_service_are_those_of_the_program() -> None:
    text = service_docs.PAGE.read_text(encoding="utf-8")
    assert service_docs.rendered(text) == text
    assert set(re.findall(r"<!-- ([a-z ]+) -->\n\|", text)) == service_docs.TABLES.keys()


def test_the_page_of_the_service_tells_its_numbers() -> None:
    """Those that stand in sentences; the tables are made."""
    text = " ".join(service_docs.PAGE.read_text(encoding="utf-8").split())
    told = [
        f"Who owes a move for {stored_games.MOVING_MS // stored_games.HOUR_MS} hours loses",
        f"heartbeats come every {games.HEARTBEAT:g} seconds",
        f"A comment comes every {games.HEARTBEAT:g} seconds",
        f"Who does not read for {games.PATIENCE:g} seconds is dropped",
        f"name of 1 to {names.LONGEST_NAME} printable characters",
        f"over their last {ratings.LAST_GAMES} finished rated games",
        f"A worker keeps the latest {calculator.LAB_BYTES / 1e6:g} MB of answers",
        f"Answers of more than {query_process.MAX_ANSWER_BYTES / 1e6:g} MB are refused",
        f"the best {daily.MAX_SCORES:,} scores",
        f"a process has room for {live.MAX_STREAMS:,}",
        f"{server.HEADER_MILLISECONDS / 1000:g} seconds: a proxy must give it up earlier",
        f"try comes after {bot_tables.RETRY_SECONDS:g} seconds",
        f"what a choice cost over the last {ratings.LAST_GAMES} up to it",
        f"`limit` at a time, up to {own_games.MAX_LISTED}, then `before`",
        f"gives up to {query_games.MAX_QUESTIONS} close calls",
        f"one record of up to {lab.MAX_RECORD:,} bytes",
    ]
    assert [sentence for sentence in told if sentence not in text] == []
    assert stored_games.COMING_MS == 7 * 24 * stored_games.HOUR_MS, "nobody has taken within seven days"
    assert ratings.LEAST_GAMES == 10, "from ten on"
    assert distributions.MAX_LAB_DICE == 8, "may be given up to eight times"
    assert me.LINK_MILLISECONDS == stored_games.HOUR_MS, "once, within an hour"


def test_the_page_for_players_tells_its_numbers() -> None:
    text = " ".join((ROOT / "docs" / "pages.md").read_text(encoding="utf-8").split())
    kept = re.search(r"^const MOST = (\d+);", app_files()["app/solo/finished.js"].data.decode(), re.MULTILINE)
    assert kept is not None
    told = [
        f"Who owes a move for {stored_games.MOVING_MS // stored_games.HOUR_MS} hours loses",
        f"over your last {ratings.LAST_GAMES} classic games without a coach",
        f"1 to {names.LONGEST_NAME} characters",
        f"| your browser | {identity.COOKIE_SECONDS // (365 * 24 * 3600)} years, or until you remove it |",
        f"your last {kept[1]} finished solo and daily games",
    ]
    assert [sentence for sentence in told if sentence not in text] == []
