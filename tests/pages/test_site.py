"""The app as plain files: whole, relative, and written so that nothing of anybody else's is lost."""

import json
import re
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

from tentimes18.app.page_html import STATIC_POLICY
from tentimes18.app.site import site_files, verify_folder, write_site
from tentimes18.errors import Ten18Error
from tentimes18.server.middleware import PAGE_POLICY
from tests.support.pages import Page

MADE = site_files()
HTML = [path for path in MADE if path.endswith(".html")]


@pytest.mark.parametrize("path", HTML)
def test_every_address_is_relative_and_leads_somewhere(path: str) -> None:
    found = Page(MADE[path].decode())
    given = [link["href"] for tag in ("link", "a") for link in found.named(tag)]
    given += [script["src"] for script in found.named("script")]
    for address in given:
        assert address is not None and address.startswith((".", "#"))
        if address.startswith("."):
            target = normpath(join(dirname(path), address))
            assert {target, normpath(join(target, "index.html"))} & MADE.keys(), address


@pytest.mark.parametrize("path", HTML)
def test_a_page_has_the_policy_of_the_service(path: str) -> None:
    (policy,) = (meta["content"] for meta in Page(MADE[path].decode()).named("meta") if "http-equiv" in meta)
    assert policy == STATIC_POLICY  # frame-ancestors cannot be said in HTML
    assert PAGE_POLICY.decode() == f"{STATIC_POLICY}; frame-ancestors 'none'"


def test_what_needs_a_service_is_not_there() -> None:
    assert not [path for path in MADE if re.search(r"(pages|style)/(daily|duel|history|game)\.(js|css)$", path)]


def test_the_worker_and_the_manifest_name_what_is_there() -> None:
    found = re.search(r"const APP = (\{.*\});", MADE["worker.js"].decode())
    assert found is not None
    told = json.loads(found[1])
    assert set(told["files"]) < MADE.keys()
    assert {normpath(join(page, "index.html")) for page in told["pages"].values()} == set(HTML)
    assert {icon["src"] for icon in json.loads(MADE["manifest.webmanifest"])["icons"]} < MADE.keys()


def written_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_it_is_written_and_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "site"
    answer = write_site(folder)
    assert written_in(folder) == dict(MADE)
    assert (answer["files"], answer["bytes"]) == (len(MADE), sum(map(len, MADE.values())))
    old = folder / "static" / "000000000000"
    old.mkdir()
    (old / "a.js").write_text("")
    (folder / "static" / "mine").mkdir()
    (folder / "static" / "mine" / "a.css").write_text("mine")
    (folder / "CNAME").write_text("example.org")
    (folder / "index.html").write_text("older")
    write_site(folder)
    assert written_in(folder) == {**MADE, "CNAME": b"example.org", "static/mine/a.css": b"mine"}


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(Ten18Error, match="is not empty; accepted: a new or empty folder") as refused:
        write_site(tmp_path)
    assert refused.value.field == "folder"
    assert written_in(tmp_path) == {"index.html": b"mine"}
    with pytest.raises(Ten18Error, match="is a file"):
        verify_folder(tmp_path / "index.html")
    with pytest.raises(Ten18Error, match="give another folder"):
        write_site(Path("/dev/null/site"))
