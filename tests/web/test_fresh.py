"""Answers kept for some seconds."""

from tentimes18.server.fresh import Fresh


def test_an_answer_is_kept_as_long_as_it_is_fresh() -> None:
    now = 100.0
    kept = Fresh[str, int](seconds=5, most=2, clock=lambda: now)
    assert kept.get("a") is None
    kept.put("a", 0)
    now = 104.9
    assert kept.get("a") == 0
    now = 105.0
    assert kept.get("a") is None


def test_the_one_put_longest_ago_makes_room() -> None:
    kept = Fresh[str, int](seconds=5, most=2, clock=lambda: 0.0)
    for number, key in enumerate(["a", "b", "a", "c"]):
        kept.put(key, number)
    assert [kept.get(key) for key in "abc"] == [2, None, 3]
