"""The habits of the house: what a file may do, how it explains itself, and how it is tested.

Every habit is a function that complains of a file; beside it stands a test that shows it what it must complain of.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
import typer

import tentimes18
from tentimes18.cli import make_app
from tests.support.source import (
    FILES,
    MODULES,
    ROOT,
    SOURCE,
    complaints,
    is_in,
    module_of,
    modules_imported,
    parsed,
    texts_of,
)

MOST_LINES: Final = 450
MOST_PUBLIC_NAMES: Final = 24
# Files that may load whatever they are told to.
LOADERS: Final = {
    "": "homes of the public names",
    "cli": "files of commands",
    "envs": "the home of its one function",
    "strategies.user_code": "the user's own code, which only the command asks for",
}
# Words that may name a class in several rooms: they mean the same thing there, or others have given them a meaning.
SAME_WORD: Final[dict[str, str]] = {"Problem": "what is to be solved; on the web, by RFC 9457, what is wrong"}

LIBRARY: Final = [path for path in FILES if not is_in(module_of(path), "cli")]

Habit: TypeAlias = Callable[[ast.AST], Iterator[str]]

# What a file may do.


def prints(tree: ast.AST) -> Iterator[str]:
    """What only the command may do: print, ask, end, and look nice."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("print", "input"):
            yield f"line {node.lineno}: {node.func.id}()"
        if isinstance(node, ast.Attribute) and re.fullmatch(r"sys\.(stdout|stderr|stdin|argv|exit)", ast.unparse(node)):
            yield f"line {node.lineno}: {ast.unparse(node)}"
    for name in modules_imported(ast.walk(tree), ""):
        if name.split(".")[0] in ("typer", "rich", "click"):
            yield f"imports {name}"


def test_only_the_command_prints() -> None:
    assert complaints(LIBRARY, prints) == []


def loads_code(tree: ast.AST) -> Iterator[str]:
    """A name is data: what turns text into code that runs."""
    doing = {"eval", "exec", "__import__", "import_module", "spec_from_file_location", "exec_module", "run_path"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name in doing:
                yield f"line {node.lineno}: {name}()"


def test_nothing_else_loads_code() -> None:
    assert complaints([path for path in FILES if module_of(path) not in LOADERS], loads_code) == []


PARSING: Final = {
    *(
        "startswith",
        "endswith",
        "removeprefix",
        "removesuffix",
        "replace",
        "partition",
        "rpartition",
        "split",
        "rsplit",
    ),
    *("splitlines", "strip", "lstrip", "rstrip", "find", "rfind", "index", "rindex", "count", "translate"),
}
SEARCHING: Final = {"match", "fullmatch", "search", "sub", "findall", "finditer"}


def parses_errors(tree: ast.AST) -> Iterator[str]:
    """Where the text of an error is read as if it were data: it has fields for that."""
    caught = {node.name for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler) and node.name} | {"error"}
    told: set[str] = set()  # names for such a text

    def is_error(node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id in caught

    def is_text(node: ast.AST) -> bool:
        if isinstance(node, ast.Name):
            return node.id in told
        if isinstance(node, ast.Attribute):
            return node.attr in ("args", "problem") and is_error(node.value)
        if isinstance(node, ast.Subscript):
            return is_text(node.value)
        if isinstance(node, ast.JoinedStr):
            values = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
            return any(is_error(value) or is_text(value) for value in values)
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in ("str", "repr", "format"):
                return any(is_error(argument) or is_text(argument) for argument in node.args)
            return isinstance(node.func, ast.Attribute) and node.func.attr == "told" and is_error(node.func.value)
        return False

    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and is_text(node.value):
            told |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        if isinstance(node, ast.NamedExpr) and is_text(node.value):
            told.add(node.target.id)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if (node.func.attr in PARSING and is_text(node.func.value)) or (
                node.func.attr in SEARCHING and any(map(is_text, node.args))
            ):
                yield f"line {node.lineno}: {ast.unparse(node)}"
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(map(is_text, sides)) and any(
                isinstance(o, ast.In | ast.NotIn | ast.Eq | ast.NotEq) for o in node.ops
            ):
                yield f"line {node.lineno}: {ast.unparse(node)}"
        elif isinstance(node, ast.Subscript) and is_text(node.value) and isinstance(node.slice, ast.Slice):
            start = node.slice.lower  # a text may be cut to a length, and its first letter made a capital
            yield from (
                () if start is None or ast.unparse(start) == "1" else (f"line {node.lineno}: {ast.unparse(node)}",)
            )


def test_no_text_of_an_error_is_parsed() -> None:
    assert complaints(FILES, parses_errors) == []


def commands_in_texts() -> str:
    """A regular expression for commands in a text: after the name of the program, or as one of a group."""
    group: Any = typer.main.get_command(make_app())
    names = {name: list(getattr(command, "commands", ())) for name, command in group.commands.items()}
    inner = [f"{name} {part}" for name, parts in names.items() for part in parts]
    return rf"ten18 (?:{'|'.join(names)})\b|`(?:{'|'.join(inner)})\b|\bduel (?:{'|'.join(names['duel'])})\b"


# A custom property of a style sheet looks like an option.
NAMED: Final = re.compile(rf"(?<![\w-])(?<!var\()(?<!style=\")--[a-z][a-z-]+|{commands_in_texts()}")


def names_the_command(tree: ast.AST) -> Iterator[str]:
    """Texts that name an option or a command: the library does not know how it is asked."""
    for line, text in texts_of(tree):
        if found := NAMED.search(text):
            yield f"line {line}: {found[0]!r} in {text[:60]!r}"


def test_no_message_of_the_library_names_an_option() -> None:
    assert complaints(LIBRARY, names_the_command) == []


@pytest.mark.parametrize(
    ("habit", "text"),
    [
        (prints, "print(1)"),
        (prints, "import sys\nsys.stdout.write('')"),
        (prints, "def f():\n    from rich.console import Console"),
        (prints, "import typer"),
        (loads_code, "import_module(name)"),
        (loads_code, "importlib.import_module(name)"),
        (loads_code, "eval(text)"),
        (parses_errors, "try: f()\nexcept E as e: str(e).startswith('x')"),
        (parses_errors, "try: f()\nexcept E as e: x = 'a' in str(e)"),
        (parses_errors, "try: f()\nexcept E as e: x = e.args[0].split(':')"),
        (parses_errors, "try: f()\nexcept E as e: re.match('x', f'{e}')"),
        (parses_errors, "try: f()\nexcept E as e:\n    text = str(e)\n    g(text.removeprefix('a'))"),
        (parses_errors, "try: f()\nexcept E as e: g(str(e)[5:])"),
        (parses_errors, "def f(error): return error.told('x').partition(':')"),
        (parses_errors, "def f(error): return error.problem == 'x'"),
        (names_the_command, "raise E('too many; see --moments')"),
        (names_the_command, "raise E(f'{n} slots: `ten18 duel play` does it')"),
        (names_the_command, "raise E('simulate it with duel play')"),
    ],
)
def test_what_breaks_a_habit_is_seen(habit: Habit, text: str) -> None:
    assert len(list(habit(ast.parse(text)))) == 1


@pytest.mark.parametrize(
    ("habit", "text"),
    [
        (prints, "import sys\nsys.modules"),
        (loads_code, "import importlib.util\nimportlib.util.find_spec('matplotlib')"),
        (parses_errors, "try: f()\nexcept E as e: raise F(str(e)) from e"),
        (parses_errors, "try: f()\nexcept E as e: g(f'{e}; more', e.field == 'dice')"),
        (parses_errors, "name.partition(':')"),
        (names_the_command, '"""See `ten18 play --coach`."""\ndef f():\n    """--dice"""'),
        (names_the_command, "x = 'a -- b'; y = 'pip install tentimes18[plot]'; z = '---'"),
        (names_the_command, "x = '# ten18 games'; y = 'fill: var(--ink)'; z = '<p style=\"--row: 3\">'"),
    ],
)
def test_what_breaks_none_is_not(habit: Habit, text: str) -> None:
    assert list(habit(ast.parse(text))) == []


# What explains itself.


def test_files_can_be_read_at_a_sitting() -> None:
    lines = {str(path.relative_to(ROOT)): path.read_bytes().count(b"\n") for path in FILES}
    assert {path: count for path, count in lines.items() if count >= MOST_LINES} == {}


def unexplained(tree: ast.Module) -> Iterator[str]:
    """What a module does not say of itself, or says wrongly."""
    if not ast.get_docstring(tree):
        yield "no docstring"
    shown = shown_by(tree)
    if shown is None:
        if len(tree.body) > 1:
            yield "no __all__"
    elif unknown := set(shown) - names_defined(tree):
        yield f"__all__ shows what is not there: {sorted(unknown)}"
    elif shown != sorted(set(shown), key=place_in_all):
        yield "__all__ is not in order"


def test_every_module_says_what_it_is_and_shows() -> None:
    assert complaints([path for path in FILES if path.name != "__main__.py"], unexplained) == []


@pytest.mark.parametrize(
    "text",
    [
        "x = 1",
        "'A door.'\nimport x",
        "'A door.'\n__all__ = ['x']",
        "'A door.'\n__all__ = ['b', 'a']\na = b = 1",
        "'A door.'\n__all__ = ['a', 'a']\na = 1",
    ],
)
def test_what_is_not_explained_is_seen(text: str) -> None:
    assert list(unexplained(ast.parse(text)))


def shown_by(tree: ast.Module) -> list[str] | None:
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            return list(ast.literal_eval(node.value))
    return None


def place_in_all(name: str) -> tuple[int, list[tuple[int, int, str]]]:
    """CONSTANTS, then Classes, then the rest; 2 before 10."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    pieces = re.findall(r"\d+|\D+", name)
    return kind, [(0, int(piece), "") if piece.isdigit() else (1, 0, piece) for piece in pieces]


def test_the_order_of_names() -> None:
    assert sorted(["b10", "b2", "Ab", "AB", "a"], key=place_in_all) == ["AB", "Ab", "a", "b2", "b10"]


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


def same_names(trees: Mapping[str, ast.Module]) -> dict[str, list[str]]:
    """Public classes of one name in several modules."""
    homes: dict[str, list[str]] = defaultdict(list)
    for module, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(module)
    return {name: modules for name, modules in homes.items() if len(modules) > 1 and name not in SAME_WORD}


def test_one_word_for_one_thing() -> None:
    assert same_names({module: parsed(path) for module, path in MODULES.items()}) == {}


def test_a_word_for_two_things_is_seen() -> None:
    one, two = ast.parse("class Card: ...\nclass _Own: ..."), ast.parse("class Card: ...\nclass _Own: ...")
    assert same_names({"a": one, "b": two}) == {"Card": ["a", "b"]}


def test_public_names_are_sorted_and_there() -> None:
    names = tentimes18.__all__
    assert names == sorted(set(names))
    assert all(hasattr(tentimes18, name) for name in names)
    assert len(names) <= MOST_PUBLIC_NAMES


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


# Tests.

TESTS: Final = sorted((ROOT / "tests").rglob("*.py"))


def named_tests(tree: ast.Module) -> list[str]:
    """The names of its tests, also inside of classes."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    inside = [inner for node in tree.body if isinstance(node, ast.ClassDef) for inner in node.body]
    return [n.name for n in [*tree.body, *inside] if isinstance(n, functions) and n.name.startswith("test_")]


def test_every_file_has_its_mirror() -> None:
    inside = [path.relative_to(SOURCE) for path in FILES if path.name not in ("__init__.py", "__main__.py")]
    mirrors = [Path("tests") / path.with_name(f"test_{path.name}") for path in inside]
    assert [str(mirror) for mirror in mirrors if not (ROOT / mirror).exists()] == []
    assert [str(mirror) for mirror in mirrors if not named_tests(parsed(ROOT / mirror))] == []


def test_a_mirror_without_a_test_is_seen() -> None:
    assert named_tests(ast.parse("def helper(): ...\nclass A:\n    def helper(self): ...")) == []
    assert named_tests(ast.parse("def test_a(): ...\nclass A:\n    def test_b(self): ...")) == ["test_a", "test_b"]


STRAYS: Final = {
    **dict.fromkeys(
        ("subprocess.Popen", "subprocess.run", "subprocess.check_output", "subprocess.call", "os.fork"),
        "tests/support/process.py starts processes, and ends them",
    ),
    **dict.fromkeys(
        ("time.process_time", "time.perf_counter", "time.thread_time"),
        "seconds belong in benchmarks; tests/support/steps.py counts",
    ),
}


def strays(tree: ast.AST) -> Iterator[str]:
    """What a test file must not do: use another's helpers, start processes that nobody ends, or hold a stopwatch."""
    for name in modules_imported(ast.walk(tree), ""):
        if re.search(r"(^|\.)(test_\w+|conftest)$", name):
            yield f"imports {name}: what is shared belongs to tests/support"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            used = f"{node.value.id}.{node.attr}"
            if used in STRAYS:
                yield f"line {node.lineno}: {used}: {STRAYS[used]}"


def test_tests_share_by_support_alone() -> None:
    assert complaints([path for path in TESTS if path.name not in ("process.py", "forks.py", "warm.py")], strays) == []


@pytest.mark.parametrize(
    "text",
    [
        "from tests.cli.test_solve import x",
        "import tests.conftest",
        "subprocess.run(['x'])",
        "with subprocess.Popen(x): ...",
        "start = time.perf_counter()",
    ],
)
def test_a_stray_is_seen(text: str) -> None:
    assert len(list(strays(ast.parse(text)))) == 1
