"""Check the language of every text a person reads: pages, docstrings, comments, messages and test names.

`python -m tools.prose` lists each phrase that is not plain English, with a better one; `python -m tools.prose PATH...`
checks these files and folders.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UNIT = r"(?:points?|pages?|steps?|numbers?|bytes|seconds?|ms|ns|times?|games?|moves?|megabytes|[kMG]B)"
EACH = r"(?:game|move|round|roll|choice|solver|player|step|position|second|minute|process|worker|pair|slot|arrival)"
PATTERNS = {
    "per": rf"\b(?:{UNIT}|lost) an? {EACH}\b",
    "percentile": r"\bend at (?:most|least) at\b",
    "probability of each": r"\bhow often which\b",
    "n, as many, that many": r"\bso many\b",
    "again, new": r"\banew\b",
    "must, will": r"\bshall\b|\b(?:is|are|was|were) to be\b",
    "if you, a player who, anyone who": r"\bwho(?:so)?ever\b|(?:^|[.:;] )Who(?! [^.]*\?) \w+ ",
    "subject first": r"(?:^|[.] )(?:Of (?:a|an|each|the|all)|By the(?! (?:end|time|way))) \w+,? (?!course)",
    "their own, its own": r"\bthe own\b",
    "automatically": r"\b(?:by itself|by themselves|of itself)\b",
    "forever": r"\bfor ever\b",
    "several hundred": r"\bsome (?:dozen|hundred|thousand)",
    "on average": r"\bin the mean\b",
    "is, appears, is listed": r"\bstands?\b(?! for\b)",
    "exists": r"\b(?:is|are) there(?=[.,;:)]| is| are| has| already)",
    "shows, reports, describes": r"\b(?:is|are|was|be|been) told\b|\btells? (?:of|how|what|which|where)\b",
    "couldn't load": r"\b(?:did|does|do) not come\b",
    "distribution": r"\blaws?\b",
    "reject": r"(?<!connection )\brefus(?:e|es|ed|al|als|ing)\b",
    "export, import": r"\b(?:take|bring)s? along\b",
    "85.2%": r"\d %",
    "nothing, no": r"(?<!there )\bis none\b|\bwhat is no\b",
    "use another verb": r"\b(?:suffers?|eats?) (?:from |for |the )?",
    "or so": r"\bwhere(?:of|with|upon|from)\b|\bthere(?:of|upon)\b",
}
RULES = {
    advice: re.compile(pattern, 0 if advice == "subject first" else re.IGNORECASE)
    for advice, pattern in PATTERNS.items()
}
Text = tuple[int, str]


def markdown_texts(source: str) -> Iterator[Text]:
    """The prose of a page: no code, no addresses."""
    source = re.sub(
        r"^```.*?^```$|^    .*?$", lambda code: "\n" * code[0].count("\n"), source, flags=re.DOTALL | re.MULTILINE
    )
    for number, line in enumerate(source.splitlines(), start=1):
        yield number, re.sub(r"`[^`]*`|\]\([^)]*\)|\$[^$]*\$", "]", line)


def python_texts(source: str) -> Iterator[Text]:
    """Docstrings, messages, comments, and the names of tests as sentences."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.count(" ") > 1:
            text = re.sub(r"^\s*(?:>>>|\.\.\.) .*$|`[^`]*`", "", node.value, flags=re.MULTILINE)
            yield from enumerate(text.splitlines(), start=node.lineno)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node.lineno, node.name.replace("_", " ")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def script_texts(source: str) -> Iterator[Text]:
    """Every line of a module of the app: texts inside templates cannot be told from code line by line."""
    yield from enumerate(source.splitlines(), start=1)


READERS = {".md": markdown_texts, ".py": python_texts, ".js": script_texts}
TOPS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs", "src", "tests", "tools", "benchmarks")


def files(tops: Iterable[Path]) -> Iterator[Path]:
    """The files to check among these and in these folders. Pages in German have rules of their own."""
    for top in tops:
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.suffix in READERS and not {"vendor", "de", "prose"} & {
                *path.resolve().relative_to(ROOT).parts,
                path.stem,
            }:
                yield path


def problems(path: Path) -> Iterator[str]:
    """A line for each phrase: its place, the phrase, and a better one."""
    for number, text in READERS[path.suffix](path.read_text(encoding="utf-8")):
        for advice, rule in RULES.items():
            if match := rule.search(text):
                yield f"{path.resolve().relative_to(ROOT)}:{number}: {match[0].strip()!r}: {advice}"


def main() -> None:
    tops = [Path(name) for name in sys.argv[1:]] or [ROOT / top for top in TOPS]
    found = [problem for path in files(tops) for problem in problems(path)]
    if found:
        sys.exit("\n".join([*found, f"{len(found)} phrases"]))


if __name__ == "__main__":
    main()
