"""The planner: limits of this process, refusals with a figure, and what fits instead."""

import os
import resource
import sys
from math import inf
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tentimes18 import plan as module
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Game
from tentimes18.plan import (
    MEMORY_VARIABLE,
    TIME_VARIABLE,
    Limits,
    Plan,
    admit,
    admit_game,
    fraction_seconds,
    in_turn,
    kept_together,
    largest,
    power_of_two,
    ratio,
)
from tests.support.command import clean_environment
from tests.support.process import finished

ROOMY = Limits(8e9, 600)


def test_a_plan_fits_or_not() -> None:
    assert Plan("a", 600, 8e9).fits(ROOMY)
    assert not Plan("a", 601, 0).fits(ROOMY)
    assert not Plan("a", 0, 8.1e9).fits(ROOMY)


def test_plans_in_turn_and_together() -> None:
    plans = Plan("a", 1, 10), Plan("b", 2, 30), Plan("c", 3, 20)
    assert in_turn("all", *plans) == Plan("all", 6, 30)
    assert kept_together("all", *plans) == Plan("all", 6, 60)
    assert in_turn("none") == Plan("none", 0, 0)


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (Plan("it", 0, 3.2e12), "it would need about 3.2 TB; at most 8 GB here"),
        (Plan("it", 4 * 3600, 0), "it would take about 4 hours; at most 10 minutes here"),
        (
            Plan("it", 90 * 86400, 9e9),
            "it would need about 9 GB and take about 90 days; at most 8 GB and 10 minutes here",
        ),
        (Plan("it", 3.2e12, 0), "it would take about 10^5 years; at most 10 minutes here"),
        (Plan("it", 3e10, 0), "it would take about 950 years; at most 10 minutes here"),
        (Plan("it", 0, 1e24), "it would need about 10^24 bytes; at most 8 GB here"),
        (Plan("it", inf, inf), "it would need more than 10^300 bytes; at most 8 GB here"),
        (Plan("it", inf, 0), "it would take more than 10^300 years; at most 10 minutes here"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_refusal_has_the_figure(plan: Plan, told: str) -> None:
    with pytest.raises(TooLarge) as refused:
        admit(plan, ROOMY, field="dice")
    assert (refused.value.problem, refused.value.field) == (told, "dice")


def test_small_limits_are_told_as_well() -> None:
    with pytest.raises(TooLarge, match=r"at most 500 MB and 1 second here: use less$"):
        admit(Plan("it", 20, 1e9), Limits(500e6, 1), instead="use less")


def table(game: Game) -> Plan:
    return Plan("the table", 1e-8 * len(game.dice.support) ** 2, 8 * len(game.dice.support) * power_of_two(game.size))


def test_what_fits_is_found_with_the_same_plan() -> None:
    with pytest.raises(TooLarge, match=r": slots 1-12 or dice 1d7 fit; or none$"):
        admit_game(Game.parse("3d6", "1-14"), table, Limits(1e6, 600), instead="or none")
    assert table(Game.parse("3d6", "1-12")).memory <= 1e6 < table(Game.parse("3d6", "1-13")).memory
    assert table(Game.parse("1d7", "1-14")).memory <= 1e6 < table(Game.parse("1d8", "1-14")).memory


def test_many_slots_are_not_listed() -> None:
    multipliers = ",".join(str(multiplier) for multiplier in range(1, 60, 2))
    with pytest.raises(TooLarge, match=r": the first 22 of these slots fit$"):
        admit_game(Game.parse("3d6", multipliers), table, Limits(1e9, 600))


def test_nothing_is_recommended_where_nothing_fits() -> None:
    with pytest.raises(TooLarge, match=r" here$"):
        admit_game(Game.parse("3d6", "1-3"), lambda _: Plan("it", 0, inf), ROOMY)


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_the_largest_that_fits(most: int, bound: int) -> None:
    asked: list[int] = []

    def fits(number: int) -> bool:
        assert 1 <= number <= most
        asked.append(number)
        return number <= bound

    assert largest(most, fits) == min(most, bound)
    assert len(asked) <= 70


def test_counts_of_any_size() -> None:
    assert (power_of_two(10), power_of_two(10**6)) == (1024, inf)
    assert (ratio(7, 2), ratio(10**1000), ratio(10**1000, 10**999)) == (3.5, inf, 10)
    assert fraction_seconds(1000) < fraction_seconds(10_000)


# The limits of this process.


def test_the_environment_changes_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_memory_left", lambda: inf)
    monkeypatch.delenv(MEMORY_VARIABLE, raising=False)
    monkeypatch.delenv(TIME_VARIABLE, raising=False)
    assert Limits.here() == Limits(8e9, 600)
    assert Limits.here(seconds=5) == Limits(8e9, 5)
    for memory, time, wanted in (
        ("500M", "90", Limits(5e8, 90)),
        ("1.5T", "10m", Limits(1.5e12, 600)),
        ("16 GB", "2h", Limits(16e9, 7200)),
        ("1000", "0.5s", Limits(1000, 0.5)),
    ):
        monkeypatch.setenv(MEMORY_VARIABLE, memory)
        monkeypatch.setenv(TIME_VARIABLE, time)
        assert Limits.here(seconds=5) == wanted


@pytest.mark.parametrize("variable", [MEMORY_VARIABLE, TIME_VARIABLE])
@pytest.mark.parametrize("text", ["much", "-1", "1e9", "8X", "1,5G"])
def test_a_limit_that_cannot_be_read(variable: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, text)
    with pytest.raises(Ten18Error, match="accepted: ") as refused:
        Limits.here()
    assert (refused.value.field, refused.value.given) == (variable, text)


def test_never_more_memory_than_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MEMORY_VARIABLE, "900T")
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert 0 < Limits.here().memory <= total


@pytest.mark.parametrize("kind", ["RLIMIT_AS", "RLIMIT_DATA"])
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="nobody knows how much is used")
def test_limits_of_the_process_count(kind: str) -> None:
    """A process that may have a gigabyte has less than that left."""
    code = (
        f"import resource; resource.setrlimit(resource.{kind}, (10**9, 10**9)); "
        "from tentimes18.plan import Limits; print(Limits.here().memory)"
    )
    assert hasattr(resource, kind)
    left = float(finished((sys.executable, "-c", code), env=clean_environment({})).stdout)
    assert 5e8 < left < 9e8


def test_small_jobs_ask_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that take no time read no file of the system."""
    monkeypatch.setattr(module, "_memory_left", lambda: pytest.fail("asked"))
    assert Plan("small", 0.01, 1e6).fits()


@pytest.mark.parametrize(
    ("kinds", "files"),
    [
        ("0::/box", {"memory.max": "1000", "memory.current": "400", "memory.stat": "anon 5\ninactive_file 100"}),
        (
            "4:memory:/box",
            {"memory.limit_in_bytes": "1000", "memory.usage_in_bytes": "400", "memory.stat": "total_inactive_file 100"},
        ),
    ],
)
def test_groups_of_a_container(
    kinds: str, files: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    root = tmp_path / ("memory" if "memory" in kinds else "")
    (root / "box").mkdir(parents=True)
    for name, text in files.items():
        (root / "box" / name).write_text(text)
    read = module._lines

    def lines(file: Path) -> list[str]:
        if str(file) == "/proc/self/cgroup":
            return [kinds]
        return read(tmp_path / file.relative_to("/sys/fs/cgroup"))

    monkeypatch.setattr(module, "_lines", lines)
    assert module._left_in_group() == 1000 - 400 + 100


def test_a_plan_may_take_all_the_memory_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """And so may those that it is a part of; what the environment says holds for all."""
    monkeypatch.setattr(module, "_memory_left", lambda: 40e9)
    monkeypatch.delenv(MEMORY_VARIABLE, raising=False)
    greedy, modest = Plan("it", 1, 30e9, all_memory=True), Plan("it", 1, 30e9)
    assert [plan.fits() for plan in (greedy, modest)] == [True, False]
    assert in_turn("both", modest, greedy).fits()
    assert not kept_together("both", modest, greedy).fits()
    with pytest.raises(TooLarge, match=r"about 60 GB; at most 36 GB here$"):
        admit(kept_together("both", modest, greedy))
    monkeypatch.setenv(MEMORY_VARIABLE, "20G")
    assert not greedy.fits()
