"""The example files of docs/howto/alerts.md: a month of alerts, and how many come in an hour of the day.

`python -m tools.alerts` writes them. They are drawn by a seed: most alerts are noise, and a few are not; nights are
quiet, and office hours are not.
"""

from collections import Counter
from math import log
from pathlib import Path
from random import Random

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "assignment"
SEED = 18
DAYS = 30
# Expected alerts in each hour of the day.
RATES = (0.4,) * 6 + (0.8, 1.5, 3.0, 4.0, 4.0, 3.5, 2.5, 3.0, 4.0, 4.0, 3.5, 2.5) + (1.5, 1.0, 0.8, 0.6, 0.5, 0.4)
SERIOUS = 0.12  # share of alerts that are not noise
NOISE = 9.0  # mean severity of those that are


def contents() -> dict[str, str]:
    """What the files hold, by their names.

    >>> list(contents())
    ['alerts.csv', 'alerts-by-hour.csv']
    """
    random = Random(SEED)
    alerts = [(day, time, _severity(random)) for day in range(1, DAYS + 1) for time in _times(random)]
    by_hour = Counter(int(time) for _, time, _ in alerts)
    lines = [f"{day},{time:.2f},{severity:.1f}" for day, time, severity in alerts]
    rates = [f"{hour},{by_hour[hour] / DAYS:.3f}" for hour in range(24)]
    return {
        "alerts.csv": "\n".join(["day,hour,severity", *lines, ""]),
        "alerts-by-hour.csv": "\n".join(["hour,alerts an hour", *rates, ""]),
    }


def _times(random: Random) -> list[float]:
    """The times of the alerts of a day: those of a fast process, of which an hour keeps its share."""
    fastest, time, times = max(RATES), 0.0, []
    while (time := time - log(1.0 - random.random()) / fastest) < 24:
        if random.random() * fastest < RATES[int(time)]:
            times.append(time)
    return times


def _severity(random: Random) -> float:
    """From 0 to 100."""
    if random.random() < SERIOUS:
        return 25.0 + 75.0 * max(random.random() * random.random(), random.random() ** 3)
    return min(100.0, -NOISE * log(1.0 - random.random()))


if __name__ == "__main__":
    for name, text in contents().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
