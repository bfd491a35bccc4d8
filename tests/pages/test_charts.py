"""Charts on a canvas: bars and the exact distribution, with a table of the numbers, in the colours of the theme."""

import re
from collections.abc import Sequence
from typing import Final

from playwright.sync_api import Page, expect

from tentimes18.coach.review import outlook
from tentimes18.game import Board, Game

DRAWN: Final = """async ({ counts, own, pmf }) => {
  const from = (path) => import(document.querySelector("script[type=module]").src.replace("main.js", path));
  const [{ html, render }, { Histogram }] = await Promise.all([from("html.js"), from("parts/charts.js")]);
  const distribution = { scores: pmf.map(([score]) => score), chances: pmf.map(([, chance]) => chance) };
  const place = document.createElement("div");
  document.querySelector("main").replaceChildren(place);
  render(html`<${Histogram} counts=${counts} distribution=${distribution} own=${own} label="A day" />`, place);
}"""
COLOURS: Final = """() => {
  const shown = document.querySelector(".plot canvas");
  if (!shown) return {}; // it is being drawn again
  const copy = Object.assign(document.createElement("canvas"), { width: shown.width, height: shown.height });
  const drawing = copy.getContext("2d", { willReadFrequently: true });
  drawing.drawImage(shown, 0, 0);
  const { data } = drawing.getImageData(0, 0, shown.width, shown.height);
  const found = {};
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] === 255) {
      const colour = `rgb(${data[i]}, ${data[i + 1]}, ${data[i + 2]})`;
      found[colour] = (found[colour] ?? 0) + 1;
    }
  }
  return found;
}"""
HAS_COLOUR: Final = f"(colour) => (({COLOURS})()[colour] ?? 0) > 50"
TOKEN: Final = """(name) => {
  const probe = document.createElement("i");
  probe.style.setProperty("color", `var(--${name})`);
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}"""


def draw(page: Page, counts: Sequence[tuple[int, int]], own: int | None) -> None:
    distribution = outlook(Board(Game.classic()))
    pmf = [[score, float(distribution.probability(score))] for score in distribution.scores]
    page.goto("/about")
    expect(page.get_by_role("heading", name="Keys")).to_be_visible()
    page.evaluate(DRAWN, {"counts": counts, "own": own, "pmf": pmf})
    expect(page.locator(".plot canvas")).to_be_visible()


def test_a_histogram_has_a_table(page: Page) -> None:
    draw(page, [(655, 3), (659, 2), (698, 4), (400, 1)], 698)
    expect(page.get_by_role("img", name="A day")).to_be_visible()
    table = page.get_by_role("table", name="A day")
    expect(table.get_by_role("row", name=re.compile("^650 to 659 5 7"))).to_have_count(1)
    expect(table.get_by_role("row", name=re.compile("^690 to 699 4 "))).to_have_count(1)
    expect(table.get_by_role("row", name=re.compile("^400 to 409 1 "))).to_have_count(1)  # rare, and somebody made it


def test_a_chart_follows_the_theme(page: Page) -> None:
    draw(page, [(655, 3), (698, 4)], 698)
    light = {name: page.evaluate(TOKEN, name) for name in ("felt", "edge", "luck")}
    for colour in light.values():
        page.wait_for_function(HAS_COLOUR, arg=colour)
    page.emulate_media(color_scheme="dark")
    dark = {name: page.evaluate(TOKEN, name) for name in light}
    assert dark["felt"] != light["felt"]
    page.wait_for_function(HAS_COLOUR, arg=dark["felt"])
    assert page.evaluate(COLOURS).get(light["felt"], 0) == 0


def test_a_chart_is_as_wide_as_its_place(page: Page) -> None:
    draw(page, [(655, 3)], None)
    page.set_viewport_size({"width": 500, "height": 700})
    page.wait_for_function(
        "() => document.querySelector('.plot canvas')?.clientWidth === document.querySelector('.plot').clientWidth"
    )
