"""The torture in its short form: every class of the table passes, in seconds; and its page says what was found."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.postgres import Postgres
from tools.torture.__main__ import main
from tools.torture.classes import ALL
from tools.torture.cost import Assumptions, Measured, plan_of, plan_text
from tools.torture.kept import keep, kept_rows
from tools.torture.page import machine, markdown
from tools.torture.yard import Row, Yard, yard

SEED = 18
SHORT = [name for name in ALL if name != "machines"]  # tests/web/test_several_processes.py is that, in short


@pytest.fixture(scope="module")
def short_yard(postgres: Postgres) -> Iterator[Yard]:
    with yard(is_short=True, tell=lambda _: None, seed=SEED) as place:
        place.use(postgres)
        yield place


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_the_service_stands_it(name: str, short_yard: Yard) -> None:
    rows = list(ALL[name](short_yard))
    assert rows
    assert [(row.kind, row.test, text) for row in rows for text in row.wrong] == []


def test_an_unknown_class_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["rain"])
    assert ended.value.code == 2
    assert "unknown: rain; there are load, overload, kills" in capsys.readouterr().err


def test_the_page_shows_every_row_and_what_is_wrong(short_yard: Yard, postgres: Postgres) -> None:
    figures = {"postgresql rate": 2e3, "processor": 4e-4, "memory": 2e8, "answer": 1.5e3, "postgresql bytes": 300.0}
    text = markdown(
        [Row("load", "all | of it", "enough", (), figures), Row("races", "one", "two", ("lost",))], short_yard
    )
    assert "| load | all \\| of it | enough | yes |" in text
    assert "| races | one | two; WRONG: lost | NO |" in text
    assert machine() in text
    assert postgres.version() in text
    assert "## A plan for a million players a day" in text
    assert "## What it costs" not in markdown([Row("races", "one", "two")], short_yard)


def test_what_was_found_is_kept_class_by_class(tmp_path: Path) -> None:
    load, races = (
        [Row("load", "one", "two", (), {"rate": 2.5}), Row("load", "three", "four", ("slow",))],
        [Row("a", "b", "c")],
    )
    keep("load", races, tmp_path)
    keep("load", load, tmp_path)
    *others, missing = kept_rows(["load", "races"], tmp_path)
    assert (missing.kind, missing.passes, others) == ("races", False, load)
    keep("races", races, tmp_path)
    assert kept_rows(["races", "load"], tmp_path) == races + load


def test_the_plan_follows_from_its_figures() -> None:
    found = Measured(rate=1_000, processor=0.001, memory=1e8, answer=2e3, row_bytes=100)
    given = Assumptions(players=86_400, games=1, moves=10, reads=0, busiest_hour=1 / 24, burst=1, headroom=1)
    plan = plan_of(found, given)
    assert plan.moves_a_day == 864_000
    assert plan.rows_a_day == 864_000 + 86_400
    assert plan.mean_rate == pytest.approx(10)
    assert plan.peak_rate == pytest.approx(10)
    assert plan.bytes_a_day == pytest.approx(86.4e6)
    assert plan.processors == pytest.approx(11 * 0.001)
    assert plan.answers_peak == pytest.approx(11 * 2e3)
    assert plan.processes == pytest.approx(0.01)
    assert "| moves a day | 864,000 |" in plan_text(found, given)
