"""Compiled code is kept where that is possible and safe, and used only with the source that it was made of."""

import os
import shutil
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from tentimes18.errors import NotKept
from tentimes18.storage.compiled import folder_for
from tentimes18.storage.inventory import KERNELS, MARK
from tests.support.process import finished
from tests.support.warm import Warm

TWICE: Final = "from tentimes18.storage.compiled import compiled\n\n@compiled()\ndef twice(n):\n    return {} * n\n"
OTHER: Final = "from inner import twice\nfrom tentimes18.storage.compiled import compiled\n\n"
FOURFOLD: Final = f"{OTHER}@compiled()\ndef fourfold(n):\n    return twice(twice(n))\n"
# Prints what the kernel gives, how often it was found on disk, and how often it was not.
ASK: Final = (
    "import sys; sys.path.insert(0, '.')\n"
    "from outer import fourfold as kernel\n"
    "stats = lambda: (sum(kernel.stats.cache_hits.values()), sum(kernel.stats.cache_misses.values()))\n"
    "print(kernel(5), *stats())\n"
)


def new_source(folder: Path) -> Path:
    """A folder with two kernels, of which one calls the other."""
    folder.mkdir()
    (folder / "inner.py").write_text(TWICE.format(2))
    (folder / "outer.py").write_text(FOURFOLD)
    return folder


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return new_source(tmp_path / "source")


Ask: TypeAlias = Callable[..., tuple[str, str]]


@pytest.fixture(scope="session")
def asked(warm: Warm) -> Ask:
    """What `ASK` prints on both streams, with this cache folder."""

    def asked(source: Path, cache: Path, warnings: str = "error", first: str = "", **changes: str) -> tuple[str, str]:
        kept = {name: text for name, text in os.environ.items() if name != "NUMBA_CACHE_DIR"}
        strictness = f"import warnings\nwarnings.simplefilter({warnings!r})\n"
        # Bytecode would make the folder that some tests look for.
        program = f"{strictness}import sys\nsys.dont_write_bytecode = True\n{first}{ASK}"
        done = warm.run(program, env={**kept, "TEN18_CACHE": str(cache), **changes}, cwd=source)
        return done.stdout.decode().strip(), done.stderr.decode()

    return asked


def block(folder: Path) -> Path:
    """A path at which nobody, not even root, can make a folder."""
    folder.write_text("in the way")
    return folder


@pytest.fixture(scope="module")
def both(asked: Ask, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compiled once: `beside` with the code beside the source, `apart` with it in `cache`."""
    folder = tmp_path_factory.mktemp("compiled")
    assert asked(new_source(folder / "beside"), folder / "nowhere") == ("20 0 1", "")
    block(new_source(folder / "apart") / "__pycache__")
    assert asked(folder / "apart", folder / "cache") == ("20 0 1", "")
    return folder


@pytest.fixture
def beside(both: Path, tmp_path: Path) -> Path:
    """A source of this test, with its compiled code."""
    return Path(shutil.copytree(both / "beside", tmp_path / "source"))


@pytest.fixture
def apart(both: Path, tmp_path: Path) -> tuple[Path, Path]:
    """The same, and a cache folder with the code."""
    source, cache = (shutil.copytree(both / name, tmp_path / name) for name in ("apart", "cache"))
    return Path(source), Path(cache)


def test_kept_beside_the_source(asked: Ask, source: Path, tmp_path: Path) -> None:
    assert asked(source, tmp_path / "cache") == ("20 0 1", "")
    assert asked(source, tmp_path / "cache") == ("20 1 0", "")
    assert list((source / "__pycache__").glob("outer.fourfold*.nbi"))
    assert not (tmp_path / "cache").exists()


def test_of_several_who_want_it_at_once_one_compiles_it(source: Path, tmp_path: Path) -> None:
    changes = {"TEN18_CACHE": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONWARNINGS": "error"}
    env = {**os.environ, **changes}
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda _: finished((sys.executable, "-c", ASK), env=env, cwd=source), range(3)))
    wanted = [(b"20 0 1\n", b""), (b"20 1 0\n", b""), (b"20 1 0\n", b"")]
    assert sorted((done.stdout, done.stderr) for done in found) == wanted


def test_kept_in_the_cache_folder_where_the_source_cannot_be_written(asked: Ask, source: Path, tmp_path: Path) -> None:
    block(source / "__pycache__")
    assert asked(source, tmp_path / "cache") == ("20 0 1", "")
    assert asked(source, tmp_path / "cache") == ("20 1 0", "")
    (folder,) = (tmp_path / "cache" / KERNELS).iterdir()
    assert MARK.encode() in next(folder.glob("outer.fourfold*.nbi")).read_bytes()[:200]
    assert folder.stat().st_mode & 0o777 == 0o700


def test_the_folder_that_numba_is_given_comes_first(asked: Ask, source: Path, tmp_path: Path) -> None:
    assert asked(source, tmp_path / "cache", NUMBA_CACHE_DIR=str(tmp_path / "numba")) == ("20 0 1", "")
    assert list((tmp_path / "numba").glob("tentimes18-*/*.nbi"))
    assert not (source / "__pycache__").exists()


def test_without_a_place_it_is_compiled_anew_and_one_warning_says_so(asked: Ask, source: Path, tmp_path: Path) -> None:
    block(source / "__pycache__")
    for _ in range(2):
        out, err = asked(source, block(tmp_path / "blocked") / "cache", "default")
        assert out == "20 0 1"
        assert err.count("NotKept: compiled code can be kept neither in ") == 1
        assert "set TEN18_CACHE to a folder of your own" in err


def test_a_change_in_a_file_that_is_only_called_counts(asked: Ask, beside: Path, tmp_path: Path) -> None:
    """The compiled function holds the code of the other file as well."""
    assert asked(beside, tmp_path / "cache") == ("20 1 0", "")
    (beside / "inner.py").write_text(TWICE.format(3))
    assert asked(beside, tmp_path / "cache") == ("45 0 1", "")


@pytest.mark.parametrize("content", [b"", b"no index"])
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_damaged_file_is_made_anew(asked: Ask, beside: Path, tmp_path: Path, ending: str, content: bytes) -> None:
    kept = list((beside / "__pycache__").glob(f"*.{ending}"))
    assert kept
    for path in kept:
        path.write_bytes(content)
    out, err = asked(beside, tmp_path / "cache")
    assert (out.split()[0], err) == ("20", "")
    assert asked(beside, tmp_path / "cache") == ("20 1 0", "")


def test_a_full_disk_costs_time_and_one_warning(source: Path, tmp_path: Path) -> None:
    command = ("sh", "-c", 'ulimit -f 0; exec "$0" -c "$1"', sys.executable, ASK)
    env = {**os.environ, "TEN18_CACHE": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = finished(command, env=env, cwd=source)
    assert done.stdout.split()[0] == b"20"
    assert done.stderr.count(b"NotKept: ") == 1
    assert b"(File too large)" in done.stderr


@pytest.mark.parametrize("what", ["open to all", "a link", "in a folder open to all"])
def test_code_in_a_folder_that_others_can_write_is_not_run(
    asked: Ask, apart: tuple[Path, Path], tmp_path: Path, what: str
) -> None:
    source, cache = apart
    kernels = cache / KERNELS
    if what == "a link":
        kernels.symlink_to(kernels.rename(tmp_path / "elsewhere"))
    elif what == "in a folder open to all":
        cache.chmod(0o777)  # where anyone puts another folder in its place
    else:
        kernels.chmod(0o777)
    out, err = asked(source, cache, "default")
    assert out == "20 0 1"
    assert "NotKept" in err


def test_a_folder_for_all_in_which_names_stay_is_safe(asked: Ask, apart: tuple[Path, Path]) -> None:
    """As in /tmp: nobody but their owner renames what is in it."""
    source, cache = apart
    assert asked(source, cache) == ("20 1 0", "")
    cache.chmod(0o1777)
    assert asked(source, cache) == ("20 1 0", "")


def test_where_and_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same answer for every function of a folder, found once."""
    monkeypatch.setenv("TEN18_CACHE", str(block(tmp_path / "blocked") / "cache"))
    block(tmp_path / "__pycache__")
    with pytest.warns(NotKept, match="so every run compiles it anew"):
        assert folder_for(tmp_path) is None
    assert folder_for(tmp_path) is None


def test_what_is_there_is_used_where_nothing_can_be_written(asked: Ask, beside: Path, tmp_path: Path) -> None:
    """As in an image that was made with it: the kernels are found, and nothing is said."""
    program = (
        "from pathlib import Path\nfrom tentimes18.storage import compiled\n"
        "compiled._can_be_written = lambda folder, is_ours: False\n"  # root can write anywhere
    )
    assert asked(beside, block(tmp_path / "blocked") / "cache", first=program) == ("20 1 0", "")
