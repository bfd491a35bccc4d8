"""How a page looks in the browser: sizes of texts and targets, what sticks out, what the keyboard reaches."""

from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page

__all__ = ["forbidden", "overflow", "shifts", "small_targets", "small_texts", "unreached"]

LOOKS: Final = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
MOST_KEYS: Final = 400


def small_texts(page: Page, least: float = 12) -> list[str]:
    """Texts smaller than so many pixels."""
    return _asked(page, "smallTexts", least)


def small_targets(page: Page, least: float = 44) -> list[str]:
    """What can be pressed and is smaller than so many pixels, each way; links within a sentence are left out."""
    return _asked(page, "smallTargets", least)


def overflow(page: Page) -> list[str]:
    """What sticks out of the window to the side."""
    return _asked(page, "overflow", None)


def shifts(page: Page, most: float = 0.02) -> list[str]:
    """What has moved since the page was opened, if that is more in all than so much as browsers count it."""
    return _asked(page, "shifts", most)


def forbidden(page: Page, source: str) -> list[str]:
    """Styles and handlers in attributes of a document as it was sent."""
    return _asked(page, "forbidden", source)


def unreached(page: Page) -> list[str]:
    """What the Tab key does not come to, from the beginning of the page to its end."""
    names = _asked(page, "numberTargets", None)
    page.evaluate("document.activeElement?.blur(); window.scrollTo(0, 0)")
    reached: set[int] = set()
    for _ in range(min(MOST_KEYS, 2 * len(names) + 10)):
        page.keyboard.press("Tab")
        if (number := page.evaluate("looks.focused()")) is not None:
            reached.add(number)
        if len(reached) == len(names):
            break
    return [name for number, name in enumerate(names) if number not in reached]


def _asked(page: Page, function: str, argument: Any) -> list[str]:
    page.evaluate(LOOKS)
    found: list[str] = page.evaluate(f"(argument) => looks.{function}(argument)", argument)
    return found
