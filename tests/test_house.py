"""The map of the house: its rooms, from top to bottom; data flows down, and a file is light or heavy, never both."""

import ast
import re
import sys
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Final

import pytest
import typer

from tentimes18.cli import COMMANDS, make_app
from tests.support.command import TEN18, clean_environment
from tests.support.process import finished
from tests.support.source import (
    FILES,
    MODULES,
    SOURCE,
    circles,
    deferred,
    heavy_modules,
    imports_at_the_top,
    imports_for_types,
    is_in,
    module_of,
    modules_imported,
    ours,
    package_of,
    parsed,
)

# From top to bottom: a room imports only from rooms before it, and the files inside of one in no circle.
ROOMS: Final = {
    "errors": "what can be wrong: the problem, and the field it is about",
    "dice": "the exact law of one roll, and its notation",
    "game": "games, boards, positions: rules, legality, score",
    "plan": "what a job takes before it starts, and what there is",
    "storage": "files written whole, folders, tables made once",
    "records": "what was played: notation, lines, history, files",
    "kernels": "compiled code: arrays in, arrays out",
    "assignment": "the general problem, any law and any arrivals",
    "solve": "this game, exactly: one algorithm a file",
    "strategies": "who plays: the named ones, and a user's own behind a door of its own",
    "simulate": "millions of games, tournaments, a cluster",
    "coach": "what moves are measured by, advice, review, summary, drill",
    "play": "a game in play: its rolls, its opponent, its store",
    "paper": "the paper's tables and figures, ours beside them",
    "show": "how things look: words, colours, plots, card, report",
    "answers": "a question in, an answer ready for JSON out",
    "pages": "the app in the browser: its files, and the HTML around them",
    "cli": "the command",
    "web": "the service and its pages",
    "envs": "environments for learning players",
}
ORDER: Final = tuple(ROOMS)
MOST_ROOMS: Final = 20
FACES: Final = ("cli", "web", "envs")  # of one core: they never import each other
STARTER: Final = ("cli.commands.service", "web")  # but for the command that starts the service
HEAVY: Final = (
    {"numpy", "numba", "llvmlite", "scipy", "matplotlib"}
    | {"fastapi", "granian", "alembic", "psycopg", "pydantic", "sqlalchemy", "starlette"}
    | {"dask", "distributed"}
    | {"gymnasium", "pettingzoo", "pyspiel", "open_spiel"}
)

# Where a light file opens a heavy one when it is asked for: deferred imports of our own modules stand nowhere else.
DOORS: Final = {
    "": "a name of the public API is imported when it is first used",
    "cli": "no more is loaded than the command that is called needs",
    "cli.games_file": "few games are read line by line, very many at once",
    "cli.commands.*": "bad input is refused before anything heavy is loaded",
    "strategies.named": "a name is light, most of the strategies that have one are not",
    "strategies.strategy": "an exact law is light, the law of a rule in float64 is not",
    "coach.aims": "the mean is light, chances and duels need tables",
    "play.*": "a game alone is light, its opponent or its coach may need a table",
    "answers.*": "one answer of a topic is light, another is not",
    "envs": "whoever makes an environment need not judge agents",
}
KEEPER: Final = "storage.compiled"  # what compiles the kernels, and the one module of another room that they import


def room_of(module: str) -> str | None:
    """The room that a module lies in."""
    return next((room for room in ORDER if is_in(module, room)), None)


def all_imports(path: Path) -> set[str]:
    return set(ours(modules_imported(ast.walk(parsed(path)), package_of(path))))


# Rooms.


def test_the_root_has_rooms_and_nothing_else() -> None:
    found = {path.stem for path in SOURCE.iterdir() if path.name not in ("__init__.py", "py.typed", "__pycache__")}
    assert found - ROOMS.keys() == set(), "not in ROOMS"
    assert len(ROOMS) <= MOST_ROOMS


def test_the_map_in_the_texts_shows_the_rooms_in_their_order() -> None:
    text = (SOURCE.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    tree = re.search(r"^```\n(errors\.py.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert tree is not None
    there = [room for room in ORDER if (SOURCE / room).is_dir() or (SOURCE / f"{room}.py").exists()]
    assert re.findall(r"^([a-z]+)(?:/|\.py) ", tree[1], re.MULTILINE) == there


def upward_imports(module: str, tree: ast.AST, *, is_package: bool = False) -> list[str]:
    """What this file imports against the order of the rooms."""
    room = room_of(module)
    package = module if is_package else module.rpartition(".")[0]
    wrong = []
    for imported in ours(modules_imported(ast.walk(tree), package)):
        source = room_of(imported)
        if source is not None and source == room and imported != module:
            continue
        if (module, source) == STARTER:
            continue
        if (
            (room == "kernels" and source != "kernels" and imported != KEEPER)
            or source is None
            or room is None
            or ORDER.index(source) >= ORDER.index(room)
            or (source in FACES and room in FACES)
        ):
            wrong.append(f"{module} imports {imported or 'the package itself'}")
    return wrong


def test_imports_go_down() -> None:
    inside = {module: path for module, path in MODULES.items() if module}
    assert [module for module in inside if room_of(module) is None] == [], "in no room: give them one in ROOMS"
    found = [
        upward_imports(module, parsed(path), is_package=path.name == "__init__.py") for module, path in inside.items()
    ]
    assert list(chain.from_iterable(found)) == []


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("dice", "from tentimes18.game import Game"),
        ("dice", "def late():\n    from tentimes18 import game"),
        ("dice", "if TYPE_CHECKING:\n    import tentimes18.game"),
        ("dice", "from .game import Game"),
        ("dice", "from . import game"),
        ("solve.subsets", "from ..coach import advise"),
        ("solve.subsets", "from tentimes18.solve.subsets import subset_values"),
        ("kernels.subsets", "from tentimes18.errors import TooLarge"),
        ("kernels.subsets", "from tentimes18.storage.folders import cache_folder"),
        ("coach.advice", "from tentimes18 import Game"),
        ("coach.advice", "import tentimes18"),
        ("coach.advice", "from tentimes18.cli.output import console"),
        ("coach.advice", "from tentimes18.nowhere import thing"),
        ("web.app", "from tentimes18.cli.output import console"),
        ("cli.commands.solve", "def solve():\n    from tentimes18.web.server import serve"),
        ("cellar", "from tentimes18.dice import Dice"),
    ],
)
def test_an_import_that_goes_up_is_seen(module: str, text: str) -> None:
    assert len(upward_imports(module, ast.parse(text))) == 1


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("game", "from tentimes18.dice import Dice"),
        ("solve.subsets", "from tentimes18.solve.thresholds import exact_thresholds"),
        ("solve.subsets", "from .thresholds import exact_thresholds"),
        ("solve.subsets", "from tentimes18.kernels import subsets as kernel"),
        ("kernels.subsets", "from tentimes18.kernels import thresholds\nimport numpy"),
        ("kernels.subsets", "from tentimes18.storage.compiled import compiled"),
        ("cli.commands.solve", "from tentimes18.cli.options import DiceOption"),
        ("cli.commands.service", "def serve():\n    from tentimes18.web.server import serve"),
        ("coach.advice", "import json, tentimes18.game"),
    ],
)
def test_an_import_that_goes_down_is_not(module: str, text: str) -> None:
    assert upward_imports(module, ast.parse(text)) == []


def test_one_module_compiles() -> None:
    """So that there is one answer to where compiled code is kept, and to what happens where it cannot be."""
    users = [module for path in FILES if {"numba"} & names_at_the_root(path) and (module := module_of(path)) != KEEPER]
    assert users == []


def names_at_the_root(path: Path) -> set[str]:
    return {name.split(".")[0] for name in modules_imported(ast.walk(parsed(path)), package_of(path))}


@pytest.mark.parametrize("room", ORDER)
def test_no_circle_inside_a_room(room: str) -> None:
    files = [path for path in FILES if room_of(module_of(path)) == room]
    assert circles({module_of(path): all_imports(path) for path in files}) == []


def test_a_circle_is_seen() -> None:
    assert circles({"a": ["b"], "b": ["c"], "c": ["a"]}) == [["a", "b", "c", "a"]]
    assert circles({"a": ["b", "c"], "b": ["c"], "c": []}) == []


def test_the_package_shows_only_the_core() -> None:
    rooms = {room_of(module) for module in all_imports(SOURCE / "__init__.py")}
    assert None not in rooms
    assert rooms.isdisjoint({*FACES, "kernels"})


# Light or heavy.


def heavy_of(files: Iterable[Path]) -> set[str]:
    top = {module_of(path): set(modules_imported(imports_at_the_top(parsed(path)), package_of(path))) for path in files}
    return heavy_modules(top, HEAVY)


def is_door(module: str) -> bool:
    return module in DOORS or any(is_in(module, door.removesuffix(".*")) for door in DOORS if door.endswith(".*"))


def late_imports(module: str, tree: ast.AST, package: str, heavy: Iterable[str]) -> list[str]:
    """What this file imports too late: a file is light or heavy, and only a door is light and opens heavy ones."""
    wrong = []
    late = set(modules_imported(deferred(tree), package))
    for name in sorted(late):
        if name.split(".")[0] in HEAVY:
            wrong.append(f"{module} imports {name} inside a function: it belongs to the top of a heavy file")
    for name in sorted(ours(late)):
        if not is_door(module):
            wrong.append(f"{module} imports {name} inside a function, and is no door")
        elif module in heavy:
            wrong.append(f"{module} imports {name} inside a function, and is heavy already")
    if not is_door(module):
        for name in sorted(set(ours(modules_imported(imports_for_types(tree), package)))):
            wrong.append(f"{module} imports {name} for its types alone, and is no door")
    return wrong


def test_a_file_is_light_or_heavy() -> None:
    heavy = heavy_of(FILES)
    found = [late_imports(module, parsed(path), package_of(path), heavy) for module, path in MODULES.items()]
    assert list(chain.from_iterable(found)) == []


@pytest.mark.parametrize(
    ("module", "text", "count"),
    [
        ("solve.subsets", "def f():\n    from tentimes18.kernels import subsets", 1),
        ("solve.subsets", "class A:\n    def f(self):\n        import numpy as np", 1),
        ("cli.commands.solve", "def f():\n    import numpy as np", 1),
        ("cli.commands.solve", "def f():\n    from tentimes18.solve.subsets import subset_values\n    import json", 0),
        ("cli.terminal.board", "def f():\n    from tentimes18.dice import Dice", 1),
        ("cli", "def f():\n    from tentimes18.dice import Dice", 0),
        ("solve.subsets", "import numpy as np\nfrom tentimes18.kernels import subsets", 0),
        ("solve.subsets", "def f():\n    import platformdirs", 0),
        ("solve.subsets", "if TYPE_CHECKING:\n    from tentimes18.dice import Dice", 1),
        ("coach.aims", "if TYPE_CHECKING:\n    from tentimes18.dice import Dice", 0),
        ("play.heavy", "def f():\n    from tentimes18.dice import Dice", 1),
    ],
)
def test_a_late_import_is_seen(module: str, text: str, count: int) -> None:
    assert len(late_imports(module, ast.parse(text), module.rpartition(".")[0], {"play.heavy"})) == count


def test_what_makes_a_file_heavy() -> None:
    top = {
        "kernels.subsets": ["numba"],
        "solve.subsets": ["tentimes18.kernels.subsets"],
        "coach": ["tentimes18.solve.subsets"],
        "coach.advice": ["json"],
        "play.game": ["tentimes18.coach.advice"],
        "dice": ["fractions"],
        "game": ["tentimes18.dice"],
    }
    assert heavy_modules(top, HEAVY) == {"kernels.subsets", "solve.subsets", "coach", "play.game"}
    text = "import json\nif TYPE_CHECKING:\n    import numpy\nelse:\n    import re\ndef f():\n    import numba"
    assert set(modules_imported(imports_at_the_top(ast.parse(text)), "")) == {"json", "re"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["solve", "--help"],
        ["advise", "--roll", "9"],
        ["advise", "--roll", "9", "--free", "1,4,7", "--json"],
        ["closest", "--json"],
        ["solve", "--json"],
        ["solve", "--exact", "--json"],
        ["solve", "--dice", "nonsense"],
        ["dice", "4d6kh3", "1d6!", "--exact"],
        ["play", "--help"],
        ["play", "--own-dice", "--coach", "full"],
        ["history"],
        ["verify", "docs/games/fair.json"],
    ],
    ids=" ".join,
)
def test_the_command_starts_light(arguments: list[str]) -> None:
    command = (sys.executable, "-X", "importtime", str(TEN18), *arguments)
    told = finished(command, env=clean_environment({})).stderr.decode()
    imported = set(re.findall(r"^import time:.*\|\s*([\w.]+)$", told, re.MULTILINE))
    assert "tentimes18.cli" in imported
    assert {name for name in imported if name.split(".")[0] in HEAVY} == set()


def test_every_command_is_whole_when_it_is_loaded_alone() -> None:
    def names_of(command: str | None) -> dict[str, set[str]]:
        group = typer.main.get_command(make_app(command))
        return {name: set(getattr(found, "commands", ())) for name, found in group.commands.items()}  # type: ignore[attr-defined]

    whole = names_of(None)
    assert {name for names in COMMANDS.values() for name in names} == whole.keys()
    for name, parts in whole.items():
        assert names_of(name)[name] == parts
    in_room = {path.stem for path in (SOURCE / "cli" / "commands").glob("*.py") if "def register(" in path.read_text()}
    assert in_room == COMMANDS.keys()
