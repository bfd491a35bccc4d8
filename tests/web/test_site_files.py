"""The files of the documentation's site."""

import os
from pathlib import Path

from tentimes18.server.site_files import SiteFiles, own_site


def test_a_clone_has_its_own_place() -> None:
    assert own_site() == Path(__file__).resolve().parents[2] / "site"


def test_only_what_lies_in_the_folder_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    (folder / "deep").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    for name in ("index.html", "deep/index.html", "a.css", "run.sh"):
        (folder / name).write_text(name)
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "folder").symlink_to(tmp_path)
    site = SiteFiles(folder)
    assert site.path_of("") == site.path_of("index.html") == folder / "index.html"
    assert site.path_of("deep/") == folder / "deep" / "index.html"
    assert site.path_of("a.css") == folder / "a.css"
    for address in ("deep", "../secret.txt", "link.txt", "folder/secret.txt", "run.sh", "/etc/passwd", "a.css/", "\0"):
        assert site.path_of(address) is None, address


def test_where_there_is_none_nothing_is_found(tmp_path: Path) -> None:
    for site in (SiteFiles(None), SiteFiles(tmp_path), SiteFiles(tmp_path / "nowhere")):
        assert site.state is None
        assert site.path_of("index.html") is None


def test_a_site_that_is_built_anew_is_seen(tmp_path: Path) -> None:
    site = SiteFiles(tmp_path)
    first = tmp_path / "index.html"
    first.write_text("one")
    assert site.path_of("b.css") is None
    (tmp_path / "b.css").write_text("")
    os.utime(first, ns=(1, 1))
    assert site.path_of("b.css") is not None
    first.unlink()
    assert site.path_of("b.css") is None
