"""The catalogues of texts: each text is used, each text in use exists, and German has every text of English."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tentimes18 import server
from tests.pages.test_every_page import PATHS, open_path, problems
from tests.pages.test_static_files import TEXTS
from tests.support.browser import DESKTOP, PHONE, SMALL_PHONE, OpenPage, resize, verify_axe

USE = re.compile(r"\btexts\.(\w+)\.(\w+)")
SHAPES = """async (lang) => {
  const main = document.querySelector("script[type=module]").src;
  const { default: catalogue } = await import(main.replace("main.js", `texts/${lang}.js`));
  const shapes = {};
  const look = (value, path) => {
    if (typeof value === "object") for (const name in value) look(value[name], `${path}${path && "."}${name}`);
    else shapes[path] = typeof value === "function" ? `a function of ${value.length}` : typeof value;
  };
  look(catalogue, "");
  return shapes;
}"""

ENGLISH = re.compile(r"\b(the|and|with|from|your|you|slots?|rolls?|score|points?|game|player|best)\b", re.IGNORECASE)
WORDS = """() => [document.body.innerText, ...[...document.querySelectorAll("body *")].flatMap((element) =>
  ["aria-label", "alt", "title", "placeholder"].map((name) => element.getAttribute(name)))].filter(Boolean)"""


def test_the_catalogue_has_no_unused_and_no_missing_text(page: Page) -> None:
    page.goto("/about")
    names = {tuple(path.split(".")[:2]) for path in page.evaluate(SHAPES, "en")}
    assert {found for text in TEXTS.values() for found in USE.findall(text)} == names


def test_german_has_every_text_of_english_in_the_same_form(page: Page) -> None:
    page.goto("/about")
    english, german = (set(page.evaluate(SHAPES, lang).items()) for lang in ("en", "de"))
    assert (sorted(english - german), sorted(german - english)) == ([], [])


def test_german_has_sentences_that_the_server_says() -> None:
    block = next(text for path, text in TEXTS.items() if path.endswith("texts/de.js")).split("const SENTENCES = {")[1]
    sentences = re.findall(r'^  "(.+?)": "', block.split("\n};")[0], re.MULTILINE)
    said = "".join(path.read_text(encoding="utf-8") for path in Path(server.__path__[0]).rglob("*.py"))
    assert len(sentences) > 10
    assert [sentence for sentence in sentences if f'"{sentence}"' not in said] == []


def test_wrong_dice_are_rejected_in_german(open_page: OpenPage) -> None:
    page = open_page("/lab?dice=foo", locale="de-DE")
    expect(page.get_by_text("Mit diesen Würfeln geht es nicht.")).to_be_visible()


def test_german_declines_the_names_of_bots(page: Page) -> None:
    page.goto("/about")
    sentences = page.evaluate("""async () => {
      const main = document.querySelector("script[type=module]").src;
      const { duel, history } = (await import(main.replace("main.js", "texts/de.js"))).default;
      return ["optimal", "hunter", "equilibrium", "greedy"].map((bot) =>
        [duel.playAgainst(duel.bots[bot].title), history.duelWith(duel.bots[bot].within)]);
    }""")
    assert sentences == [
        ["Gegen den perfekten Spieler spielen", "Duell mit dem perfekten Spieler"],
        ["Gegen den Jäger spielen", "Duell mit dem Jäger"],
        ["Gegen das Gleichgewicht spielen", "Duell mit dem Gleichgewicht"],
        ["Gegen Gierig spielen", "Duell mit Gierig"],
    ]


@pytest.mark.parametrize("path", PATHS)
def test_pages_fit_in_german(path: str, open_page: OpenPage) -> None:
    page = open_path(lambda *place: open_page(*place, locale="de-DE"), path)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    for size in (DESKTOP, PHONE, SMALL_PHONE):
        resize(page, size)
        assert (size.name, problems(page, "overflow")) == (size.name, [])
    verify_axe(page)
    assert [found[0] for text in page.evaluate(WORDS) for found in ENGLISH.finditer(text)] == []


def test_the_language_is_the_browsers_until_the_player_chooses_another(open_page: OpenPage) -> None:
    page = open_page("/about", PHONE, locale="de-AT")
    assert page.request.get("/about", headers={"accept-language": "de"}).text().count('<html lang="de"') == 1
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Die Regeln in einer Minute")
    expect(page).to_have_title("Über · Ten times eighteen")
    page.get_by_role("button", name="Mehr").click()
    page.get_by_role("radio", name="English").click()
    expect(heading).to_have_text("The rules in a minute")
    page.reload()
    expect(heading).to_have_text("The rules in a minute")
    page.get_by_role("button", name="More").click()
    page.get_by_role("radio", name="Match browser").click()
    expect(heading).to_have_text("Die Regeln in einer Minute")
