"""Blocks of whole lines: the same lines as Python's own reading of text, wherever the blocks are cut."""

import io

from hypothesis import given
from hypothesis import strategies as st

from tentimes18.records.sources import line_blocks, text_of, texts_of


@given(
    st.lists(st.sampled_from([b"a", b"\r", b"\n", b"\r\n", "é🎲".encode(), b"\xff", b"\xe2\x82", b"\x85"])),
    st.integers(1, 9),
)
def test_lines_as_python_reads_them(parts: list[bytes], size: int) -> None:
    content = b"".join(parts)
    expected = list(io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", errors="replace"))
    blocks = list(line_blocks(io.BytesIO(content), size))
    assert list(texts_of(blocks)) == expected
    assert all(block.endswith(b"\n") for block in blocks[:-1])
    assert b"".join(blocks) == content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def test_blocks_of_about_the_size_that_is_asked_for() -> None:
    content = b"8@5 4@1\n" * 100
    blocks = list(line_blocks(io.BytesIO(content), 80))
    assert {len(block) for block in blocks} == {80}
    assert text_of(blocks[0]).count("\n") == 10
