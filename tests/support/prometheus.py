"""The exposition of metrics, as the client library of Prometheus reads it."""

from prometheus_client.parser import text_string_to_metric_families


class Samples(dict[tuple[str, ...], float]):
    """The samples of one name, by the values of their labels."""

    def value(self, **labels: str) -> float:
        return self[tuple(labels[name] for name in sorted(labels))]

    def total(self) -> float:
        return sum(self.values())


def read_exposition(text: str) -> dict[str, Samples]:
    """The samples by name; the test fails if one is given twice, or if the buckets of a histogram are not sums."""
    found: dict[str, Samples] = {}
    below = 0.0
    for family in text_string_to_metric_families(text):
        for name, labels, value, *_ in family.samples:
            samples = found.setdefault(name, Samples())
            key = tuple(labels[label] for label in sorted(labels))
            assert key not in samples, f"twice: {name} {labels}"
            samples[key] = value
            if family.type == "histogram":
                assert not name.endswith(("_bucket", "_count")) or value >= below, "buckets are cumulative"
                below = 0.0 if name.endswith("_count") else value if name.endswith("_bucket") else below
    return found
