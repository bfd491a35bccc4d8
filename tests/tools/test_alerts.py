"""The month of alerts: the files are what the tool writes, and look like what it was told."""

import csv
import io

import pytest

from tools.alerts import DAYS, FOLDER, RATES, contents


def test_the_files_are_what_it_writes() -> None:
    for name, text in contents().items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text


def test_what_is_in_them() -> None:
    found = contents()
    alerts = list(csv.DictReader(io.StringIO(found["alerts.csv"])))
    assert all(0 <= float(row["severity"]) <= 100 and 0 <= float(row["hour"]) <= 24 for row in alerts)
    assert len(alerts) == pytest.approx(DAYS * sum(RATES), abs=4 * (DAYS * sum(RATES)) ** 0.5)
    rates = [float(row["alerts an hour"]) for row in csv.DictReader(io.StringIO(found["alerts-by-hour.csv"]))]
    assert sum(rates) == pytest.approx(len(alerts) / DAYS, abs=0.02)
