"""The source as a reader of it sees it: files, the modules they are, and what they import, where and when."""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import tentimes18

__all__ = [
    "FILES",
    "MODULES",
    "ROOT",
    "SOURCE",
    "circles",
    "complaints",
    "deferred",
    "docstrings",
    "heavy_modules",
    "imports_at_the_top",
    "imports_for_types",
    "is_in",
    "module_of",
    "modules_imported",
    "ours",
    "package_of",
    "parsed",
    "texts_of",
]

SOURCE: Final = Path(tentimes18.__file__).parent
ROOT: Final = SOURCE.parents[1]
FILES: Final = sorted(SOURCE.rglob("*.py"))


def module_of(path: Path) -> str:
    """`solve.thresholds` for src/tentimes18/solve/thresholds.py, and nothing for the package itself."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES: Final = {module_of(path): path for path in FILES}


def is_in(module: str, place: str) -> bool:
    """Whether this is the module of that name, or one inside of it; the package itself is a place of its own."""
    return module == place or (place != "" and module.startswith(f"{place}."))


def package_of(path: Path) -> str:
    """The package that a file's relative imports start from."""
    module = module_of(path)
    return module if path.name == "__init__.py" else module.rpartition(".")[0]


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def complaints(files: Iterable[Path], habit: Callable[[ast.Module], Iterable[str]]) -> list[str]:
    """What a habit finds wrong, file by file."""
    return [f"{path.relative_to(ROOT)}: {text}" for path in files for text in habit(parsed(path))]


def modules_imported(nodes: Iterable[ast.AST], package: str) -> Iterator[str]:
    """The modules that these statements import, by their whole names."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join(part for part in ("tentimes18", *above, base) if part)
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                is_module = base.split(".")[0] == "tentimes18" and inner.partition(".")[2] in MODULES
                yield inner if is_module else base


def ours(modules: Iterable[str]) -> Iterator[str]:
    """Those of this package, without the `tentimes18.`; the package itself is ''."""
    for module in modules:
        name, _, rest = module.partition(".")
        if name == "tentimes18":
            yield rest


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def _walk(nodes: Iterable[ast.AST], *, stop_at: tuple[type[ast.AST], ...] = (), for_types: bool) -> Iterator[ast.AST]:
    """All statements below these, in functions or not, for the type checker or not."""
    for node in nodes:
        if isinstance(node, stop_at):
            continue
        if _is_for_types(node) and not for_types:
            assert isinstance(node, ast.If)
            yield from _walk(node.orelse, stop_at=stop_at, for_types=for_types)
            continue
        yield node
        yield from _walk(ast.iter_child_nodes(node), stop_at=stop_at, for_types=for_types)


_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def imports_at_the_top(tree: ast.AST) -> list[ast.AST]:
    """Statements that run when the file is imported."""
    return list(_walk(ast.iter_child_nodes(tree), stop_at=_FUNCTIONS, for_types=False))


def imports_for_types(tree: ast.AST) -> list[ast.AST]:
    """Statements that only the type checker reads."""
    return [inner for node in ast.walk(tree) if _is_for_types(node) for inner in ast.walk(node)]


def deferred(tree: ast.AST) -> list[ast.AST]:
    """Statements that run when a function of the file is called."""
    functions = (node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS))
    return [inner for function in functions for inner in _walk(ast.iter_child_nodes(function), for_types=False)]


def heavy_modules(top: Mapping[str, Iterable[str]], heavy: Iterable[str]) -> set[str]:
    """The modules of ours that import a heavy package when they are imported: by themselves, or through others.

    ``top`` has the modules that each imports at its top, by whole names; a module imports the packages it is in, too.
    """
    names = set(heavy)
    found = {module for module, imported in top.items() if any(name.split(".")[0] in names for name in imported)}
    while True:
        more = {
            module
            for module, imported in top.items()
            if module not in found and any(part in found for name in ours(imported) for part in _with_packages(name))
        }
        if not more:
            return found
        found |= more


def _with_packages(module: str) -> Iterator[str]:
    parts = module.split(".") if module else []
    return (".".join(parts[:count]) for count in range(len(parts) + 1))


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


def docstrings(tree: ast.AST) -> set[ast.AST]:
    """The constants that explain, below a module, class, function or a name."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                found.add(statement.value)
    return found


def texts_of(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The texts that a file may show, each with its line: all that are no docstrings."""
    explained = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in explained:
            yield node.lineno, node.value
