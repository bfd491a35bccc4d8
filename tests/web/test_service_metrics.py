"""What the service counts of itself."""

from tentimes18.server.edge.exposition import exposition
from tentimes18.server.service_metrics import ServiceMetrics
from tentimes18.server.store.writer import CommitFigures
from tests.support.prometheus import read_exposition


def test_a_commit_is_counted_with_its_requests() -> None:
    metrics = ServiceMetrics()
    metrics.waiting = lambda: 12
    metrics.commit(CommitFigures(requests=40, seconds=0.02, waiting=3))
    metrics.commit(CommitFigures(requests=2, seconds=0.01, waiting=0))
    metrics.games.add(1, "solo")
    metrics.question("advise", "kept")
    found = read_exposition(exposition(metrics.families()))
    assert found["ten18_commits_total"].total() == 2
    assert found["ten18_commit_requests"].samples["ten18_commit_requests_sum", ()] == 42
    assert found["ten18_commit_requests"].samples["ten18_commit_requests_bucket", (("le", "5"),)] == 1
    assert found["ten18_writer_waiting"].total() == 12
    assert found["ten18_questions_total"].value(question="advise", outcome="kept") == 1
    assert found["ten18_games_total"].value(kind="solo") == 1
