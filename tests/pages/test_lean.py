"""Comments are left out of what is sent, and nothing else: a lexer of another project sees the same code."""

import pytest
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
from pygments.token import Comment, Text, Whitespace  # type: ignore[import-untyped]

from tentimes18.app.static_files import app_files, lean
from tests.support import SOURCE

STATIC = SOURCE / "app" / "static"
OURS = [path for path in app_files() if path.endswith((".js", ".css")) and (STATIC / path).exists()]


def code_of(text: str, language: str) -> list[tuple[str, str]]:
    """What is neither a comment nor a blank."""
    tokens = get_lexer_by_name(language, stripnl=False).get_tokens(text)
    return [(str(kind), part) for kind, part in tokens if kind not in Comment and kind not in (Text, Whitespace)]


def test_the_code_is_the_same() -> None:
    for path in OURS:
        if not path.startswith("vendor/"):
            text = (STATIC / path).read_text(encoding="utf-8")
            language = "css" if path.endswith(".css") else "javascript"
            sent = app_files()[path].data.decode()
            assert sent == lean(text), path
            assert code_of(sent, language) == code_of(text, language), path
            lines = zip(text.splitlines(), sent.splitlines(), strict=True)
            assert all(there in (line, "") for line, there in lines), path


def test_libraries_are_sent_as_they_stand() -> None:
    for path in OURS:
        if path.startswith("vendor/"):
            assert app_files()[path].data == (STATIC / path).read_bytes()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("/** a */ let b;\n/* c */\n", "/** a */ let b;\n\n"),
        ("/* a */ let b; /* c */\nlet d;", "/* a */ let b; /* c */\nlet d;"),
        ("let a = 'x'; // b\n  // c\n", "let a = 'x'; // b\n\n"),
        ("a\n/* b\n * c */\nd", "a\n\n\nd"),
    ],
)
def test_what_is_left(text: str, left: str) -> None:
    assert lean(text) == left
