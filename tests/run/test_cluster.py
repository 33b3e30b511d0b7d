"""A Dask cluster of this machine, whose workers are killed: what a command answers is the same."""

import json
import random
import re
import runpy
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import cluster_runs
import pytest
from cluster_model import Costs, Way, run
from cluster_runs import Row, contents, trial
from dask_processes import HOME, Cluster

from sudoku_encode.run.executor import spread
from sudoku_encode.run.pools import pool_of

# 943,676 solutions, of which the search takes some tenths of a second.
MILLION = "000000000000000012003045000000003000060000000120000000000200006007000400000807000"
# Workers of Dask look a hundred times a second at what they do, and cost much while they wait.
UNWATCHED = {"DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Begin a cluster for all tests: to begin its processes takes longer than what they do."""
    with Cluster(tmp_path_factory.mktemp("cluster"), 2, UNWATCHED) as cluster:
        yield cluster


@pytest.fixture
def cluster(begun: Cluster) -> Cluster:
    """Return the cluster with two workers, and no task noted."""
    begun.n_workers = 2
    begun.keep_workers()
    (begun.folder / "tasks.txt").unlink(missing_ok=True)
    return begun


@pytest.mark.slow
@pytest.mark.thorough
def test_killed_workers_count(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A count is the same while a worker is killed."""
    monkeypatch.setattr(cluster_runs, "Cluster", lambda folder, n_workers: nullcontext(cluster))
    command = ["count", MILLION, "--method", "search", "--json", "-o", "{out}/count.jsonl"]
    rows = list(trial("count", command, ["workers"], tmp_path, n_workers=2, kills=1, rng=random.Random(1)))
    assert [(row.under, row.status, row.same, row.says) for row in rows] == [
        ("here", 0, True, ""),
        ("workers", 0, True, ""),
    ]
    record = json.loads((tmp_path / "workers" / "out" / "count.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert (record["count"], record["complete"]) == (943_676, True)
    assert rows[1].tasks > 0


@pytest.mark.slow
def test_killed_workers_answers(cluster: Cluster) -> None:
    """Every task is answered once when a worker is killed at each third answer."""
    rng, kills, found = random.Random(1), 0, []
    with pool_of(cluster.executor) as pool:
        for number, answer in spread(str, range(12), pool):
            found.append((number, answer))
            if number % 3 == 0 and kills < 2:
                kills += cluster.kill_worker(rng) is not None
        sent = [key for key, where in cluster.tasks if where != "done"]
    assert sorted(found) == [(number, str(number)) for number in range(12)]
    assert kills == 2
    assert len(set(sent)) == 12


@pytest.mark.slow
@pytest.mark.thorough
def test_tls(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With TLS only a client that the authority of the cluster signed is answered."""
    example = runpy.run_path(str(HOME / "scripts" / "tls_example"))["example"]

    def begin(folder: Path, n_workers: int, *of_tls: Any) -> Any:
        # Where no certificate is asked for, it is a cluster like ours.
        return Cluster(folder, n_workers, *of_tls) if of_tls else nullcontext(cluster)

    monkeypatch.setitem(example.__globals__, "Cluster", begin)
    said: list[str] = []
    assert example(tmp_path / "tls", said.append) == [], said
    assert sum(": exit status 2: " in line for line in said) == 4


@pytest.mark.slow
@pytest.mark.thorough
def test_restarted_scheduler(cluster: Cluster) -> None:
    """Every task is answered when the scheduler is killed and begun again."""
    found = []
    with pool_of(cluster.executor) as pool:
        for number, answer in spread(str, range(150), pool, window=100):
            found.append((number, answer))
            if len(found) == 5:
                cluster.kill_scheduler()
                cluster.begin_scheduler()
                cluster.wait_for_end()
                # Of those to come one is enough.
                cluster.n_workers = 1
                cluster.keep_workers()
    assert sorted(found) == [(number, str(number)) for number in range(150)]


def test_different_output_named(tmp_path: Path) -> None:
    """An output that differs is seen and named."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    for folder, count, seconds in (("a", 1, 0.5), ("b", 1, 0.7)):
        (tmp_path / folder / "x.jsonl").write_text(json.dumps({"count": count, "seconds": seconds}) + "\n")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    (tmp_path / "b" / "x.jsonl").write_text(json.dumps({"count": 2, "seconds": 0.5}) + "\n")
    assert contents(tmp_path / "a") != contents(tmp_path / "b")
    assert Row("count", "workers", 1.0, 1, 0, 2, 1, False)._asdict()["same"] is False


def test_scheduler_loads_dask_only() -> None:
    """What a scheduler loads is Dask alone."""
    source = (HOME / "scripts" / "dask_preload.py").read_text(encoding="utf-8")
    assert "sudoku_encode" not in source.replace("SUDOKU_ENCODE", "")


@pytest.mark.parametrize("workers", [1, 7, 100])
def test_model_even_load(workers: int) -> None:
    """In the model work without costs is shared out evenly."""
    outcome = run(200_000.0, [1.0, 2.0, 5.0], workers, Way(), Costs())
    assert outcome.efficiency == pytest.approx(1, abs=0.02)
    assert outcome.seconds * workers * outcome.efficiency == pytest.approx(200_000)


def test_model_scheduler_bound() -> None:
    """In the model a scheduler of a millisecond serves a thousand tasks a second."""
    outcome = run(2000.0, [1.0], 200, Way(seconds=0.1, short_seconds=0.1), Costs(scheduler=0.001))
    assert outcome.tasks / outcome.seconds == pytest.approx(1000, rel=0.01)
    assert outcome.scheduler == pytest.approx(1, abs=0.01)


def test_model_client_bound() -> None:
    """In the model a client that checks slower than a worker lists is busy all the time."""
    outcome = run(1000.0, [1.0], 10, Way(seconds=1.0), Costs(per_second=0.5))
    assert outcome.client > 0.99
    assert outcome.seconds == pytest.approx(500, rel=0.01)


@pytest.mark.slow
@pytest.mark.thorough
def test_page_of_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page shows what the model makes of what was measured."""
    script = runpy.run_path(str(HOME / "scripts" / "cluster_simulation"))
    page = (HOME / "docs" / "internals" / "measurements.md").read_text(encoding="utf-8")
    svg = (HOME / "docs" / "clusters.svg").read_text(encoding="utf-8")
    workers = script["WORKERS"]
    # Each number of workers takes seconds: the fewest and the most are simulated, and their points are where they were.
    monkeypatch.setitem(script["simulated"].__globals__, "WORKERS", (workers[0], workers[-1]))
    found = script["simulated"](json.loads((HOME / "docs" / "clusters.json").read_text(encoding="utf-8")))
    assert [line for line in script["table"](found).splitlines() if line not in page.splitlines()] == []
    drawn = script["drawing"](found).splitlines()
    assert len([line for line in drawn if "<title>" in line]) == 2 * len(found)
    # A line joins the points of all numbers.
    assert [line for line in drawn if line not in svg.splitlines() and 'class="line ' not in line] == []

    # Of the others the drawing says what the table says.
    rows = {row[0]: row[1:] for row in re.findall(r"^\| ([\d,]+)" + r" \| (\d+)%" * 4 + r" \|$", page, re.M)}
    points = re.findall(r"<title>(.*), ([\d,]+): ([\d.e-]+)</title>", svg)
    assert len(points) == len(found) * len(workers)
    for name, number, percent in points:
        assert float(percent) == pytest.approx(int(rows[number][list(found).index(name)]), abs=0.51), (name, number)
