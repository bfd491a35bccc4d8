"""The pages of the Python reference: which names are on which page, with their docstrings.

The names of `tentimes18` itself come first, on a page of their own; then each room with the files that it has. What
prints, serves, keeps or compiles is nobody's to call, and is left out.
"""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.console import ROOT

PACKAGE = "tentimes18"
SOURCE = ROOT / "src" / PACKAGE
FOLDER = "python"
ROOMS = {
    "errors": "what can be wrong",
    "dice": "the exact distribution of one roll, and its notation",
    "game": "games, boards, positions: the rules",
    "limits": "what a job may take",
    "records": "what was played: notation, files, history",
    "assignment": "the general problem behind the game",
    "solve": "this game, exactly: one algorithm a file",
    "strategies": "who plays",
    "simulate": "millions of games",
    "coach": "advice, review, drill",
    "play": "a game in play",
    "pictures": "plots, the strategy card, the board",
    "queries": "what can be asked, with answers ready for JSON",
}
"""Rooms that are for others to use, in the order of the house."""
_FIRST = """# The Python API

```pycon
>>> from tentimes18 import Board, Game, advise
>>> advise(Board(Game.classic()), roll=9).best
4
```

[`tentimes18`](tentimes18.md) has the names that most people need. The rest is reached by its room: a room has a page
here, and on it every file with what it shows. Whatever is not listed may change at any time.

| room | what is in it |
| --- | --- |
"""
_MAIN = """# tentimes18

The names that most people need, imported from `tentimes18` itself; each comes from its home when it is first used, so
that a short program starts fast.

"""


def modules_of(room: str) -> list[str]:
    """The modules of a room, by their full names; the room itself first."""
    place = SOURCE / room
    if not place.is_dir():
        return [f"{PACKAGE}.{room}"]
    files = sorted(place.rglob("*.py"), key=lambda path: (path.parent, path.name != "__init__.py", path.name))
    return [_name_of(path) for path in files]


def _name_of(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _path_of(module: str) -> Path:
    place = SOURCE.parent.joinpath(*module.split("."))
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def public_names(module: str) -> list[str]:
    """What a module shows: the names in its `__all__`, or else its classes and functions.

    >>> public_names("tentimes18.coach.skill")
    ['SkillLevel', 'random_loss', 'level_of']
    """
    body = ast.parse(_path_of(module).read_text(encoding="utf-8")).body
    for node in body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return list(ast.literal_eval(node.value))
    names = [node.name for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    return [name for name in names if not name.startswith("_")]


def _defined(module: str) -> list[str]:
    """Those of its public names that are its own."""
    names: set[str] = set()
    for node in ast.parse(_path_of(module).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return [name for name in public_names(module) if name in names]


def _homes_of_main() -> dict[str, str]:
    """The module that each name of the package comes from."""
    wanted = public_names(PACKAGE)
    found = {name: module for room in ROOMS for module in modules_of(room) for name in _defined(module)}
    return {name: found[name] for name in wanted}


def homes() -> dict[str, str]:
    """Where each source file is described on the site: by its path in the project, the page and the anchor.

    >>> homes()["src/tentimes18/coach/review.py"]
    'python/coach.md#tentimes18.coach.review'
    """
    return {
        _path_of(module).relative_to(ROOT).as_posix(): f"{FOLDER}/{room}.md#{module}"
        for room in ROOMS
        for module in modules_of(room)
    }


def write_reference(folder: Path) -> None:
    """Write the pages of the reference below this folder."""
    place = folder / FOLDER
    place.mkdir(parents=True, exist_ok=True)
    main = _homes_of_main()
    rows = (f"| [`{PACKAGE}.{room}`]({room}.md) | {told} |\n" for room, told in ROOMS.items())
    _write(place / "README.md", [_FIRST, *rows])
    _write(place / f"{PACKAGE}.md", [_MAIN, *(_told(f"{main[name]}.{name}", 2) for name in main)])
    for room in ROOMS:
        _write(place / f"{room}.md", _room(room, main))


def _room(room: str, main: dict[str, str]) -> Iterator[str]:
    yield f"# {PACKAGE}.{room}\n\n"
    for module in modules_of(room):
        is_titled = module == f"{PACKAGE}.{room}"
        names = [name for name in _defined(module) if main.get(name) != module]
        told = [_told(module, 2, names, is_titled=is_titled)]
        if elsewhere := [name for name, home in main.items() if home == module]:
            links = ", ".join(f"[`{name}`]({PACKAGE}.md#{module}.{name})" for name in elsewhere)
            told.insert(0 if is_titled else 1, f"Told among the [main names]({PACKAGE}.md): {links}.\n\n")
        yield from told


def _told(name: str, level: int, members: Iterable[str] | None = None, *, is_titled: bool = False) -> str:
    """What the builder reads: a name, which of its members are shown, and whether it is above them already."""
    options = f"      heading_level: {level}\n"
    if members is not None:
        options += f"      members: [{', '.join(members)}]\n"
    if is_titled:
        options += "      show_root_heading: false\n"
    return f"::: {name}\n    options:\n{options}\n"


def _write(path: Path, parts: Iterable[str]) -> None:
    path.write_text("".join(parts), encoding="utf-8")
