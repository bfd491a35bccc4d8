"""A strict reader of Prometheus' text format 0.0.4: complains of whatever a scraper would trip over."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from math import inf
from typing import Final

__all__ = ["Exposed", "read_exposition"]

NAME: Final = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL: Final = r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"'
SAMPLE: Final = re.compile(rf"({NAME})(?:\{{((?:{LABEL})(?:,{LABEL})*)\}})? (\S+)")
NUMBER: Final = re.compile(r"[+-]?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\+Inf")
Labels = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Exposed:
    """A family as it was read: its samples by name and labels."""

    kind: str
    what: str
    samples: dict[tuple[str, Labels], float] = field(default_factory=dict)

    def value(self, **labels: str) -> float:
        """The value of a counter or a gauge."""
        (found,) = [value for (_, told), value in self.samples.items() if dict(told) == labels]
        return found

    def total(self) -> float:
        """All samples of a counter or a gauge together."""
        return sum(self.samples.values())


def read_exposition(text: str) -> dict[str, Exposed]:
    """The families of a text; raises ``AssertionError`` where it is not what the format asks for."""
    assert text == "" or text.endswith("\n")
    families: dict[str, Exposed] = {}
    name = ""
    helped = ""
    for line in text.split("\n")[:-1]:
        if match := re.fullmatch(rf"# HELP ({NAME}) (.*)", line):
            assert match[1] not in families, "a family stands once, in one piece"
            name, helped = match[1], match[2]
        elif match := re.fullmatch(rf"# TYPE ({NAME}) (counter|gauge|histogram)", line):
            assert match[1] == name, "HELP comes before TYPE"
            families[name] = Exposed(match[2], helped)
        else:
            _read_sample(line, name, families[name])
    for name, family in families.items():
        if family.kind == "histogram":
            _verify_histogram(name, family)
        elif family.kind == "counter":
            assert name.endswith("_total")
            assert all(value >= 0 for value in family.samples.values())
    return families


def _read_sample(line: str, name: str, family: Exposed) -> None:
    match = SAMPLE.fullmatch(line)
    assert match is not None, line
    endings = ("_bucket", "_sum", "_count") if family.kind == "histogram" else ("",)
    assert match[1] in [name + ending for ending in endings], line
    labels = tuple(re.findall(LABEL, match[2] or ""))
    assert len({label for label, _ in labels}) == len(labels), line
    assert NUMBER.fullmatch(match[match.lastindex or 0]), line
    key = (match[1], labels)
    assert key not in family.samples, f"twice: {line}"
    family.samples[key] = float(line.rpartition(" ")[2])


def _verify_histogram(name: str, family: Exposed) -> None:
    buckets: dict[Labels, list[tuple[float, float]]] = defaultdict(list)
    for (sample, labels), value in family.samples.items():
        if sample.endswith("_bucket"):
            bound = dict(labels)["le"]
            others = tuple(label for label in labels if label[0] != "le")
            buckets[others].append((float(bound.replace("+Inf", "inf")), value))
    for labels, found in buckets.items():
        bounds, counts = [bound for bound, _ in found], [count for _, count in found]
        assert bounds == sorted(set(bounds))
        assert bounds[-1] == inf
        assert counts == sorted(counts), "counts are cumulative"
        assert family.samples[f"{name}_count", labels] == counts[-1]
        assert (f"{name}_sum", labels) in family.samples
