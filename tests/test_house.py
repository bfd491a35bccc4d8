"""The house: data flows down, the command starts light, and every public name explains itself."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import typer

import tentimes18
from tentimes18.cli import COMMANDS, make_app
from tests.support.command import TEN18, clean_environment

SOURCE: Final = Path(tentimes18.__file__).parent

# From top to bottom: a room imports only from rooms before it, and the files inside of one in no circle.
ROOMS: Final = (
    "errors",
    "dice",
    "game",
    "storage",
    "records",
    "kernels",
    "assignment",
    "solve",
    "strategies",
    "simulate",
    "coach",
    "play",
    "paper",
    "show",
    "answers",
    "cli",
    "web",
    "envs",
)
FACES: Final = ("cli", "web", "envs")  # of one core: they never import each other
HEAVY: Final = {"numpy", "numba", "llvmlite", "scipy", "matplotlib", "fastapi", "sqlalchemy", "dask", "distributed"}

FILES: Final = sorted(SOURCE.rglob("*.py"))


def module_of(path: Path) -> str:
    """`solve.thresholds` for src/tentimes18/solve/thresholds.py, and nothing for the package itself."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES: Final = {module_of(path) for path in FILES}


def room_of(module: str) -> str | None:
    """The room that a module lies in."""
    return next((room for room in ROOMS if module == room or module.startswith(f"{room}.")), None)


def imports_of(tree: ast.AST, package: str) -> Iterator[str]:
    """The modules of ours that this file imports anywhere, without the `tentimes18.`; the package itself is ''."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "tentimes18":
                    yield alias.name.removeprefix("tentimes18").removeprefix(".")
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join(part for part in ("tentimes18", *above, base) if part)
            if base.split(".")[0] != "tentimes18":
                continue
            base = base.removeprefix("tentimes18").removeprefix(".")
            for alias in node.names:
                inner = f"{base}.{alias.name}".removeprefix(".")
                yield inner if inner in MODULES else base


def complaints(module: str, tree: ast.AST, *, is_package: bool = False) -> list[str]:
    """What this file imports against the order of the rooms."""
    room = room_of(module)
    package = module if is_package else module.rpartition(".")[0]
    wrong = []
    for imported in imports_of(tree, package):
        source = room_of(imported)
        if source is not None and source == room and imported != module:
            continue
        if (
            (room == "kernels" and source != "kernels")
            or source is None
            or room is None
            or ROOMS.index(source) >= ROOMS.index(room)
            or (source in FACES and room in FACES)
        ):
            wrong.append(f"{module} imports {imported or 'the package itself'}")
    return wrong


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_imports_go_down(path: Path) -> None:
    module = module_of(path)
    if module == "":
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert room_of(module) is not None, f"{module} is in no room: give it one in ROOMS"
    assert complaints(module, tree, is_package=path.name == "__init__.py") == []


def circles(imports: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Modules that import each other in a circle, one list for each circle that a walk meets."""
    found: list[list[str]] = []
    done: set[str] = set()

    def walk(module: str, way: list[str]) -> None:
        if module in way:
            found.append([*way[way.index(module) :], module])
        elif module not in done:
            for imported in imports.get(module, ()):
                walk(imported, [*way, module])
            done.add(module)

    for module in imports:
        walk(module, [])
    return found


def imports_of_file(path: Path) -> set[str]:
    module = module_of(path)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    return set(imports_of(ast.parse(path.read_text(encoding="utf-8")), package))


@pytest.mark.parametrize("room", ROOMS)
def test_no_circle_inside_a_room(room: str) -> None:
    files = [path for path in FILES if room_of(module_of(path)) == room]
    assert circles({module_of(path): imports_of_file(path) for path in files}) == []


def test_a_circle_is_seen() -> None:
    assert circles({"a": ["b"], "b": ["c"], "c": ["a"]}) == [["a", "b", "c", "a"]]
    assert circles({"a": ["b", "c"], "b": ["c"], "c": []}) == []


def test_the_package_shows_only_the_core() -> None:
    tree = ast.parse((SOURCE / "__init__.py").read_text(encoding="utf-8"))
    rooms = {room_of(module) for module in imports_of(tree, "")}
    assert None not in rooms
    assert rooms.isdisjoint({"cli", "web", "envs", "kernels"})


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
        ("coach.advice", "from tentimes18 import Game"),
        ("coach.advice", "import tentimes18"),
        ("coach.advice", "from tentimes18.cli.output import console"),
        ("coach.advice", "from tentimes18.nowhere import thing"),
        ("web.app", "from tentimes18.cli.output import console"),
        ("cellar", "from tentimes18.dice import Dice"),
    ],
)
def test_an_import_that_goes_up_is_seen(module: str, text: str) -> None:
    assert len(complaints(module, ast.parse(text))) == 1


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("game", "from tentimes18.dice import Dice"),
        ("solve.subsets", "from tentimes18.solve.thresholds import exact_thresholds"),
        ("solve.subsets", "from .thresholds import exact_thresholds"),
        ("solve.subsets", "from tentimes18.kernels import subsets as kernel"),
        ("kernels.subsets", "from tentimes18.kernels import thresholds\nimport numpy"),
        ("cli.commands.solve", "from tentimes18.cli.options import DiceOption"),
        ("coach.advice", "import json, tentimes18.game"),
    ],
)
def test_an_import_that_goes_down_is_not(module: str, text: str) -> None:
    assert complaints(module, ast.parse(text)) == []


@pytest.mark.parametrize("path", [path for path in FILES if room_of(module_of(path)) != "cli"], ids=module_of)
def test_only_the_command_prints(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("print", "input")
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "sys":
            assert node.attr not in ("stdout", "stderr", "stdin", "argv", "exit")
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names}.isdisjoint({"typer", "rich", "click"})
        if isinstance(node, ast.ImportFrom):
            assert (node.module or "").split(".")[0] not in ("typer", "rich", "click")


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
        ["play", "--help"],
        ["play", "--own-dice", "--coach", "full"],
        ["history"],
    ],
    ids=" ".join,
)
def test_the_command_starts_light(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", TEN18, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        env=clean_environment({}),
        check=False,
    )
    imported = set(re.findall(r"^import time:.*\|\s*([\w.]+)$", done.stderr, re.MULTILINE))
    assert "tentimes18.cli" in imported
    assert {name for name in imported if name.split(".")[0] in HEAVY} == set()


def test_public_names_are_sorted_and_there() -> None:
    names = tentimes18.__all__
    assert names == sorted(set(names))
    assert all(hasattr(tentimes18, name) for name in names)


def is_protocol_or_named_tuple(thing: Any) -> bool:
    return isinstance(thing, type) and (getattr(thing, "_is_protocol", False) or hasattr(thing, "_fields"))


@pytest.mark.parametrize("name", tentimes18.__all__)
def test_public_names_have_an_example(name: str) -> None:
    thing = getattr(tentimes18, name)
    assert thing.__doc__, f"{name} has no docstring"
    assert not thing.__doc__.startswith(f"{name}("), f"{name} only has the docstring that dataclass wrote"
    if is_protocol_or_named_tuple(thing) or (isinstance(thing, type) and issubclass(thing, Exception)):
        return
    assert ">>>" in thing.__doc__, f"the docstring of {name} has no example"


@pytest.mark.parametrize("path", [path for path in FILES if path.name != "__main__.py"], ids=module_of)
def test_every_module_says_what_it_is_and_shows(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    shown = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets)
    ]
    if path.name != "__init__.py" or len(tree.body) > 1:
        assert len(shown) == 1, "no __all__"
        assert set(shown[0]) <= names_defined(tree)
        assert len(shown[0]) == len(set(shown[0]))


def names_defined(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    # What is imported for the type checker alone is imported late by the package's own __getattr__.
    late = [inner for node in tree.body if isinstance(node, ast.If) for inner in node.body]
    for node in [*tree.body, *late]:
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
    return names


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
