"""The package as a stranger installs it: wheel and sdist are built, and the wheel works without the source."""

import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

import tentimes18.duel
import tentimes18.solve
from tests.support import ROOT
from tests.support.process import finished


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packages")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", folder], cwd=ROOT, check=True, capture_output=True
    )
    return folder


def test_names_are_found_by_looking() -> None:
    assert "__version__" in dir(tentimes18)
    assert tentimes18.__version__.count(".") == 2
    assert "equilibrium" in dir(tentimes18.duel)
    assert tentimes18.solve.thresholds.exact_thresholds is tentimes18.exact_thresholds
    with pytest.raises(AttributeError, match=r"'tentimes18.solve' has no attribute 'nothing'"):
        tentimes18.solve.nothing  # noqa: B018


@pytest.mark.slow
def test_the_wheel_alone_runs_commands_and_serves_the_page(packages: Path, tmp_path: Path) -> None:
    """Its libraries are those of this environment; the package in the checkout is not on the path."""
    (wheel,) = packages.glob("*.whl")
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    libraries = Path(sysconfig.get_path("purelib", vars={"base": str(environment), "platbase": str(environment)}))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(libraries)
    (libraries / "libraries.pth").write_text(sysconfig.get_path("purelib"))  # files *.pth there are not read
    python = environment / "bin" / "python"
    variables = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    place = finished([python, "-c", "import tentimes18; print(tentimes18.__file__)"], env=variables, cwd=tmp_path)
    assert Path(place.stdout.decode().strip()).is_relative_to(libraries)
    done = finished(
        [sys.executable, "-m", "tools.smoke", python, "-m", "tentimes18"], env=variables, cwd=ROOT, timeout=300
    )
    assert done.returncode == 0, done.stderr.decode()
    assert b"the page work" in done.stdout


@pytest.mark.slow
def test_the_packages_hold_the_files_and_nothing_of_the_tests(packages: Path) -> None:
    (wheel,), (sdist,) = packages.glob("*.whl"), packages.glob("*.tar.gz")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"tentimes18"}
    assert "tentimes18/py.typed" in names
    assert "tentimes18/app/static/app/main.js" in names
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "src/tentimes18/__init__.py"} <= inside
