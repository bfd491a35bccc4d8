"""The documentation says what the program does: commands in it run, and print what is shown."""

import re
import shlex
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from tentimes18.app.static_files import app_files
from tentimes18.cli import EXAMPLES, make_command
from tentimes18.queries import distributions
from tentimes18.queries import games as query_games
from tentimes18.server import bots, calculator, identity, live, query_process, server
from tentimes18.server.app import Application, openapi_document
from tentimes18.server.rates import RATES
from tentimes18.server.routes import daily, games, lab, me
from tentimes18.server.settings import Service
from tentimes18.server.store import games as stored_games
from tentimes18.server.store import groups, ratings
from tests.support.command import run_for_tools
from tools import service_docs
from tools.command_pages import leaves, panel
from tools.command_pages import pages as command_pages
from tools.console import ROOT, pages, rendered, run_ten18

PAGES = pages()
EACH_PAGE = pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
COMMAND_PAGES = command_pages()[1:]


@pytest.mark.slow
@EACH_PAGE
def test_console_blocks_show_what_the_command_prints(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = path.read_text(encoding="utf-8")
    assert rendered(text, run_for_tools) == text, "run `make docs`"


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
    assert rendered(block, run_ten18) == rendered(block, run_for_tools) != block


def test_every_command_is_on_the_page_of_its_group() -> None:
    """In a part of its own, or in the table of its group."""
    parts = {path.stem: re.findall(r"^<!-- (ten18 .+) -->$", path.read_text(), re.MULTILINE) for path in COMMAND_PAGES}
    assert all(len({panel(name) for name in names}) == 1 for names in parts.values())
    shown = sorted(chain(*parts.values()))
    names = [name for name, _ in leaves(make_command(is_whole=True))]
    assert sorted({name if name in shown else name.rpartition(" ")[0] for name in names}) == shown


def test_examples_of_commands_are_accepted() -> None:
    whole = make_command(is_whole=True)
    for path, arguments in EXAMPLES.items():
        command: Any = whole
        for word in path.split():
            command = command.commands[word]
        command.make_context(path, shlex.split(arguments))


def test_pages_have_titles_of_their_own() -> None:
    titles = Counter(page.read_text(encoding="utf-8").splitlines()[0] for page in PAGES)
    assert [title for title, count in titles.items() if count > 1] == []


@EACH_PAGE
def test_links_lead_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)\)", text) + re.findall(r'src="([^"]+)"', text)
    missing = [target for target in targets if "://" not in target and not (path.parent / target).exists()]
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


def test_tables_of_limits_bots_and_metrics_are_current() -> None:
    texts = [page.read_text(encoding="utf-8") for page in service_docs.PAGES]
    assert [service_docs.rendered(text) for text in texts] == texts, "run `make docs`"
    assert set(re.findall(r"<!-- ([a-z ]+) -->\n\|", "".join(texts))) == service_docs.TABLES.keys()


def test_pages_on_the_server_have_its_numbers() -> None:
    """Numbers in sentences; the tables are written by a tool."""
    named = ("reference/http.md", "server/run.md", "server/operate.md", "server/privacy.md")
    text = " ".join(" ".join((ROOT / "docs" / page).read_text(encoding="utf-8") for page in named).split())
    expected = [
        f"A player who does not place a roll for {stored_games.MOVING_MS // stored_games.HOUR_MS} hours loses",
        f"A heartbeat is sent every {games.HEARTBEAT:g} seconds",
        f"it sends a comment every {games.HEARTBEAT:g} seconds",
        f"A client that does not read for {games.PATIENCE:g} seconds is disconnected",
        f"A name has 1 to {identity.MAX_NAME} printable characters",
        f"over your last {ratings.LAST_GAMES} finished rated games",
        f"A worker keeps the latest {calculator.LAB_BYTES / 1e6:g} MB of answers",
        f"Answers of more than {query_process.MAX_ANSWER_BYTES / 1e6:g} MB are rejected",
        f"the best {daily.MAX_SCORES:,} scores",
        f"a process has room for {live.MAX_STREAMS:,}",
        f"closes a connection after {server.HEADER_MILLISECONDS / 1000:g} idle seconds",
        f"try comes after {bots.RETRY_SECONDS:g} seconds",
        f"`limit` at a time, up to {me.MAX_LISTED}, then `before`",
        f"returns up to {query_games.MAX_QUESTIONS} close calls",
        f"one record of up to {lab.MAX_RECORD:,} bytes",
    ]
    assert [sentence for sentence in expected if sentence not in text] == []
    assert stored_games.COMING_MS == 7 * 24 * stored_games.HOUR_MS, "nobody accepts an invitation within seven days"
    assert ratings.LEAST_GAMES == 10, "you have one from ten games on"
    assert distributions.MAX_LAB_DICE == 8, "may be repeated up to eight times"
    assert me.LINK_MILLISECONDS == stored_games.HOUR_MS, "once, within an hour"


def test_the_page_on_http_has_every_route() -> None:
    text = (ROOT / "docs" / "reference" / "http.md").read_text(encoding="utf-8")
    paths = openapi_document(Application(Service(Path("nowhere"), b"x" * 32)).litestar)["paths"]
    assert [path for path in paths if path.removeprefix("/api/v1") not in text] == []


def test_the_page_for_players_has_its_numbers() -> None:
    text = " ".join((ROOT / "docs" / "play" / "pages.md").read_text(encoding="utf-8").split())
    assert f"deleted {groups.KEPT_DAYS} days after it was created" in text
    assert f"at most {groups.MAX_PLAYERS} players, and a host at most {groups.MAX_GROUPS} groups" in text
    guesses = RATES["guess"].player
    assert guesses is not None
    http = (ROOT / "docs" / "reference" / "http.md").read_text(encoding="utf-8")
    assert f"after {guesses.burst} wrong codes a player has to wait" in http
    kept = re.search(r"^const MOST = (\d+);", app_files()["app/solo/finished.js"].data.decode(), re.MULTILINE)
    assert kept is not None
    expected = [
        f"A player who does not place a roll for {stored_games.MOVING_MS // stored_games.HOUR_MS} hours loses",
        f"over your last {ratings.LAST_GAMES} classic games without a coach",
        f"1 to {identity.MAX_NAME} characters",
        f"| your browser | {identity.COOKIE_SECONDS // (365 * 24 * 3600)} years, or until you remove it |",
        f"your last {kept[1]} finished solo and daily games",
    ]
    assert [sentence for sentence in expected if sentence not in text] == []
