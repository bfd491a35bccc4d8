"""A name is data: whatever a stranger writes, nothing is imported, read, written, compiled or started because of it.

An audit hook of Python sees every file that is opened, all code that is compiled or run, and every call to the system;
imports are seen as well where they are looked for, and where a module is asked for by its name. All of it is on while
hostile texts go through each door that takes one from outside. What our own program loads when it is needed first is
loaded before: `warmed`.
"""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.abc import MetaPathFinder
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.coach.aims import aim_named
from tentimes18.dice import Dice
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, Position
from tentimes18.play.opponents import opponent
from tentimes18.records.formats import read_records
from tentimes18.records.notation import parse_json, parse_record
from tentimes18.simulate.players import is_fast
from tentimes18.simulate.run import Run
from tentimes18.strategies.named import named
from tentimes18.strategies.user_code import find
from tests.support.steps import counted


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split())


MOST_STEPS: Final = 5_000_000
LONGEST_LINE: Final = 400
GAME: Final = Game.parse("1d3", "1-3")

Door = Callable[[str], object]

DOORS: Final[dict[str, Door]] = {
    "named": named,
    "Dice.parse": Dice.parse,
    "Game.parse": lambda text: Game.parse("1d6", text),
    "aim_named": lambda text: aim_named(GAME, text),
    "opponent": lambda text: opponent(text, GAME, seed=18),
    "parse_record": parse_record,
    "parse_json": parse_json,
    "a run": lambda text: is_fast(Run(GAME, (text,), seed=18)),
}

WATCHED: Final = _split(
    "import open exec compile code. marshal. pickle. builtins. subprocess. os. pty. shutil. glob. tempfile. socket. "
    "urllib. http. sqlite3. ctypes. mmap."
)
_events: list[str] = []
_switch = {"is_on": False}


def _note(event: str, details: object) -> None:
    if _switch["is_on"] and event.startswith(WATCHED):
        _events.append(f"{event} {details!r:.200}")


sys.addaudithook(_note)  # for good: there is no way to take one away


class _Finder(MetaPathFinder):
    """Sees which modules are looked for, and finds none."""

    def find_spec(self, name: str, _path: object, _target: object = None) -> None:
        _note("import", (name,))


@contextmanager
def watched() -> Iterator[list[str]]:
    """What happens inside."""
    import_module = importlib.import_module

    def noted(name: str, package: str | None = None) -> ModuleType:
        _note("import", (name,))
        return import_module(name, package)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(importlib, "import_module", noted)
        patch.setattr(sys, "meta_path", [_Finder(), *sys.meta_path])
        _events.clear()
        _switch["is_on"] = True
        try:
            yield _events
        finally:
            _switch["is_on"] = False


@pytest.fixture(scope="module", autouse=True)
def warmed() -> None:
    """Each kind of answer once: what our program loads, compiles and keeps for it is no matter of the name."""
    objectives = _split("target:9 quantile:0.1 cvar:0.1 utility:exp:0.1 utility:power:0.5")
    for name in ("random", "optimal", "hindsight", "nearest", "bands", "greedy", *objectives):
        named(name).distribution(Board(GAME))
    for name in ("random", "optimal", "nearest", "bands", "greedy", "hunter", "equilibrium", *objectives):
        opponent(name, GAME, seed=18)
    for aim in ("mean", "target:9", "duel", "duel:optimal", "duel:nearest", "duel:bands", "duel:greedy"):
        aim_named(GAME, aim).moves(Position(Board(GAME), Board(GAME)), 2)
    for text in ("8@5 4@1; name=Ada # slow", '{"moves": "8@5"}', "name,moves\nAda,8@5", "[", "x"):
        list(read_records(text.splitlines()))
    for door in DOORS.values():
        with pytest.raises(Ten18Error):
            door("\0")


def ask(door: Door, text: str) -> None:
    """Put a text through a door: what comes of it is an answer, or one line about a field, and nothing else."""
    refused: Ten18Error | None = None
    with watched() as events, counted() as steps:
        try:
            door(text)
        except Ten18Error as error:
            refused = error
    assert events == []
    assert steps.count < MOST_STEPS
    if refused is not None:
        line = str(refused)
        assert line.isprintable()
        assert len(line) < LONGEST_LINE
        assert refused.field


def test_what_the_other_door_does_is_seen(tmp_path: Path) -> None:
    """It loads modules and files: known ones, new ones, and such as are not there."""
    (tmp_path / "mine.py").write_text("import os\ndef mine(board, roll): return 1\n")
    sys.modules.pop("colorsys", None)
    for name, events in {
        "os:getcwd": ["import ('os',)"],
        "colorsys:hls_to_rgb": ["import ('colorsys',)", "open ", "exec "],
        "utility:math:sqrt": ["import ('math',)"],
        "nothing_of_that_name:f": ["import ('nothing_of_that_name',)"],
        f"{tmp_path}/mine.py:mine": ["open ", "compile ", "exec "],
    }.items():
        with watched() as found, suppress(Ten18Error):
            find(name)
        for event in events:
            assert any(line.startswith(event) for line in found), (name, event)


@pytest.mark.parametrize("name", _split("os:getcwd colorsys:hls_to_rgb utility:math:sqrt utility:colorsys:rgb_to_hsv"))
def test_what_the_other_door_would_load(name: str) -> None:
    """The same names: `find` takes them for code, all others reject them, and load nothing."""
    assert find(name).name == name
    sys.modules.pop("colorsys", None)
    with pytest.raises(Ten18Error):
        named(name)
    for door in DOORS.values():
        ask(door, name)
    assert "colorsys" not in sys.modules


CODE: Final = _split(r"""
    os:system os:getcwd subprocess:run builtins:eval builtins:exec builtins:print sys:exit os.path:exists
    importlib:import_module antigravity:geohash this:s __main__:x tentimes18:named tentimes18.strategies.user_code:find
    mine.py mine.py:f /tmp/mine.py:f ../mine.py:f ./mine.py:f ~/mine.py:f C:\mine.py:f .py:f __init__.py:f
    /etc/passwd /etc/passwd:f file:///etc/passwd http://localhost/ //host/share:f \\host\share /dev/zero:f /dev/stdin
    __import__('os') eval(1) {0.__class__} %s%n $(id) `id` ${HOME} ;rm &&id |id ';DROP <script>alert(1)</script>
    ../../../../etc/passwd .. . / \ - -- pickle:loads !!python/object:os.system @file env:HOME ${jndi:ldap://x/}
""")
AWKWARD: Final = (
    *("", " ", "\0", "\n", "\r\n", "a\nb", "\x1b[31mred", "\u2028", "\u202e", "\ud800", "\ufffe", "é", "🎲", "½", "٣"),
    *("optimal\n", "optimal ", "optimal\0", "cos\nsystem\n(S'id'\ntR.", "8@5; dice=1d6", "8@5; version=2", "; roll=9"),
    *_split("nan inf -inf 1e309 1e999999999 0x10 1_000 1/0 0/0 -0 + 1/ /1 1. .1 700 0.1 Optimal OPTIMAL optimal"),
    *_split("random: hunter: equilibrium:1 hunter duel mean true null [] {} [[ () None __class__ __dict__ 9@? 8@5"),
    *('"', "'", '{"moves": ["os", "system"]}', '{"moves": "8@5", "dice": {}}', '{"moves": [], "slots": ["1", 2e400]}'),
)
PREFIXES: Final = (
    *("", " ", "\ufeff"),
    *_split("utility: target: quantile: cvar: duel: utility:exp: utility:power: file:"),
    *("optimal:", "d{", "1d6:", "1-", "8@5; x=", "8@5 # ", "3d6 1-10: ", '{"moves": ', '{"moves": "8@5", "x": '),
)
HUGE: Final = (
    *("x" * 10**6, "9" * 10**5, ":" * 10**5, " " * 10**5 + "x", "1" + " " * 10**5 + "1", "\t" * 10**5, "[" * 10**5),
    *('{"a":' * 10**4, "a" + "." * 10**5 + ":f", "utility:" * 10**4, "1/" + "0" * 10**5 + "1", "1/" + "0" * 10**5),
    *("target:" + "9" * 10**5, "target:1/" + "9" * 10**5, "cvar:0." + "0" * 10**5 + "1", "utility:exp:" + "9" * 39),
    *("duel:" + "x" * 10**5, "utility:" + "x" * 10**5 + ":f", "999999d999999", "1000d6", "100d100", "d" * 10**5),
    *("d10000:1=" + "9" * 4000, "+".join(f"d{k}" for k in range(2, 200)), "d6:" + "1=2," * 10**4),
    *("d6+" * 10**4 + "d6", "+" * 10**5, "-" * 10**5, "d{" + "1," * 10**4 + "1}"),
    *("1-1000000", "1-999999999999", "-99999999999-1", "1," * 10**4 + "1", "1-10," * 10**4, "1/3," * 10**3 + "1"),
    *("8@5 " * 10**4, "8@5;" * 10**4, "8@5; " + '"a' * 10**4, "8@5; " + "a=[" * 10**3, "8@" + "5" * 10**5, "#" * 10**5),
    *("8@5; " + "".join(f"a{k}=1; " for k in range(3_000)), "3d6 1-1000000: 8@5", "1000d6 1: 8@1", "9" * 15 + "@1"),
    '{"moves": "", "score": "1/' + "0" * 10**5 + '1"}',
)


@pytest.mark.parametrize("door", DOORS)
def test_hostile_texts(door: str) -> None:
    """Every text alone, and after some of the prefixes, different ones for each text."""
    for number, (text, prefix) in enumerate(product((*CODE, *AWKWARD), PREFIXES)):
        if not prefix or number % 5 == 0:
            ask(DOORS[door], prefix + text)


@pytest.mark.parametrize("door", DOORS)
def test_huge_texts(door: str) -> None:
    for text in HUGE:
        ask(DOORS[door], text)


letters = st.sampled_from("0123456789:;,.-+/=@?#dD{}[]()\"' \t\n\\_abcdefimnoprstuvxyz\0\u2028٣é")
words = st.sampled_from(
    [
        *_split("os sys math sqrt getcwd eval mine.py utility target cvar quantile exp power duel mean optimal hunter"),
        *_split("equilibrium random hindsight greedy 3d6 1-10 8@5 9@? name=Ada moves 0.1 700 1/3 : ; @ # .. / .py __"),
    ]
)
texts = (
    st.text(max_size=60)
    | st.text(letters, max_size=60)
    | st.lists(words, max_size=6).map("".join)
    | st.lists(words, max_size=6).map(":".join)
    | st.builds(str.__add__, st.sampled_from(PREFIXES), st.text(max_size=20))
)


@pytest.mark.parametrize("door", DOORS)
@given(text=texts)
@settings(max_examples=100)
def test_any_text(door: str, text: str) -> None:
    ask(DOORS[door], text)
