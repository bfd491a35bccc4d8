"""The cache of compiled code: used only with the source it was made of, and harmless wherever it cannot be used."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tentimes18 import compiled as module
from tentimes18.errors import CacheWarning
from tests.support.process import finished

INNER = "from tentimes18.compiled import compiled\n\n@compiled()\ndef twice(n):\n    return {factor} * n\n"
OUTER = """from constants import STEP
from inner import twice
from tentimes18.compiled import compiled

@compiled()
def fourfold(n):
    return twice(twice(n)) + STEP
"""
ASK = (
    "import sys; sys.path.insert(0, '.'); sys.dont_write_bytecode = True\n"
    "from outer import fourfold as kernel\n"
    "print(kernel({value}), sum(kernel.stats.cache_hits.values()), sum(kernel.stats.cache_misses.values()))\n"
)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    write_inner(folder)
    (folder / "constants.py").write_text("STEP = 0\n")
    (folder / "outer.py").write_text(OUTER)
    return folder


def write_inner(folder: Path, factor: int = 2) -> None:
    (folder / "inner.py").write_text(INNER.format(factor=factor))


def ask(source: Path, value: str = "5") -> tuple[str, str]:
    """Return what a new process computes, how often it found the code on disk and how often not; and its warnings."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(source.parent / "numba")}
    done = finished((sys.executable, "-c", ASK.format(value=value)), env=environment, cwd=source)
    return done.stdout.decode().strip(), done.stderr.decode()


def test_code_is_compiled_once_and_again_when_a_callee_or_a_constant_changes(source: Path) -> None:
    assert ask(source) == ("20 0 1", "")
    assert ask(source) == ("20 1 0", "")
    write_inner(source, factor=3)
    assert ask(source) == ("45 0 1", "")
    (source / "constants.py").write_text("STEP = 1\n")
    assert ask(source) == ("46 0 1", "")


def test_processes_that_compile_at_once_write_one_cache(source: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        first, again = (list(pool.map(lambda value: ask(source, value), ("5", "2.5"))) for _ in range(2))
    assert first == [("20 0 1", ""), ("10.0 0 1", "")]
    assert again == [("20 1 0", ""), ("10.0 1 0", "")]


def test_a_damaged_file_costs_time_and_nothing_else(source: Path) -> None:
    ask(source)
    for ending in ("nbc", "nbi"):
        for path in (source.parent / "numba").rglob(f"*.{ending}"):
            path.write_bytes(b"")
        out, err = ask(source)
        assert out.startswith("20 ")
        assert "CacheWarning: compiled code cannot be stored in " in err


@pytest.fixture
def blocked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder beside the source cannot be written. Nobody, not even root, can make a folder below a file."""
    (tmp_path / "__pycache__").write_text("in the way")
    monkeypatch.setattr(module, "__file__", str(tmp_path / "compiled.py"))
    monkeypatch.setattr(module._config, "CACHE_DIR", "")
    monkeypatch.setenv("TEN18_CACHE", str(tmp_path / "cache"))
    module._warn.cache_clear()
    return tmp_path / "cache"


def test_the_cache_folder_is_used_where_the_source_cannot_be_written(blocked: Path) -> None:
    assert module._folder.__wrapped__() == blocked / "compiled"
    assert (blocked / "compiled").stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_a_folder_that_others_can_write_is_not_used_for_code(blocked: Path) -> None:
    blocked.mkdir()
    blocked.chmod(0o777)
    with pytest.warns(
        CacheWarning, match="compiled code can be kept neither in .* set TEN18_CACHE to a folder of your own"
    ):
        assert module._folder.__wrapped__() is None
