"""Units of an experiment on other people's engines: the same bytes, also when a worker is killed in the middle."""

import importlib
import os
import signal
import sys
import threading
import time

import pytest
import spinney
from conftest import ROOT

sys.path.insert(0, str(ROOT / "examples" / "python" / "executors"))

TEXT = """title = "Spread"
seed = 5
pairs = 40
[agents.few]
sims = 100
[agents.more]
sims = 300
[[match]]
games = ["breakthrough(rows=6, columns=6)"]
a = ["more"]
b = ["few"]
"""


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The experiment and the records of one thread."""
    folder = tmp_path_factory.mktemp("alone") / "run"
    experiment = spinney.Experiment.from_toml(TEXT)
    experiment.run(folder, threads=1)
    return experiment, (folder / "games-0-of-1.jsonl").read_bytes()


@pytest.fixture(scope="module")
def ray_cluster():
    """Ray gives itself half a minute to start, which a busy machine may need more of."""
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    for _ in range(2):
        try:
            ray.init(include_dashboard=False, num_cpus=2)
            break
        except Exception as error:  # noqa: BLE001 - it raises plain exceptions
            ray.shutdown()
            reason = f"Ray does not start here: {error}"
    else:
        pytest.skip(reason)
    yield ray
    ray.shutdown()


@pytest.mark.parametrize(
    "module, needs",
    [
        ("with_concurrent_futures", "concurrent.futures"),
        ("with_joblib", "joblib"),
        ("with_ray", "ray"),
        ("with_dask", "distributed"),
        ("with_hyperqueue", "hyperqueue"),
    ],
)
def test_an_engine_gives_the_same_bytes(module, needs, alone, tmp_path, request):
    pytest.importorskip(needs, reason=f"{needs} is not installed")
    if needs == "ray":
        request.getfixturevalue("ray_cluster")
    example = importlib.import_module(module)
    lines = [line for line in open(example.__file__) if line.strip()]
    assert len(lines) <= 20, "an example is short"
    experiment, expected = alone
    run = example.run(experiment, tmp_path / "run")
    assert run.missing == 0
    assert (tmp_path / "run/games-0-of-1.jsonl").read_bytes() == expected


def slow_unit(unit):
    """Plays a unit after a while, so that there is somebody to kill."""
    time.sleep(0.4)
    return spinney.play_unit(unit)


def test_a_worker_of_dask_killed_in_the_middle_changes_nothing(alone, tmp_path):
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    experiment, expected = alone
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            futures = client.map(slow_unit, experiment.units(pairs=4), pure=False)
            time.sleep(0.6)
            victim = next(iter(client.run(os.getpid).values()))
            os.kill(victim, signal.SIGKILL)
            results = client.gather(futures)
    run = experiment.collect(results, tmp_path / "run")
    assert run.missing == 0 and (tmp_path / "run/games-0-of-1.jsonl").read_bytes() == expected


def test_a_worker_of_ray_killed_in_the_middle_changes_nothing(alone, tmp_path, ray_cluster):
    ray, (experiment, expected) = ray_cluster, alone
    mark = tmp_path / "killed"

    @ray.remote(max_retries=3)
    def fragile(unit, number):
        if number == 3 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return spinney.play_unit(unit)

    results = ray.get([fragile.remote(unit, number) for number, unit in enumerate(experiment.units(pairs=4))])
    assert mark.exists()
    run = experiment.collect(results, tmp_path / "run")
    assert run.missing == 0 and (tmp_path / "run/games-0-of-1.jsonl").read_bytes() == expected


def test_a_process_killed_in_the_middle_leaves_what_can_be_gone_on_with(alone, tmp_path):
    """`concurrent.futures` gives up with its pool; what came back is collected, and the rest is asked for again."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    experiment, expected = alone
    results = []
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(spinney.play_unit, unit) for unit in experiment.units(pairs=4)]
        results.append(futures[0].result())
        killer = threading.Thread(target=lambda: os.kill(next(iter(pool._processes)), signal.SIGKILL))
        killer.start()
        killer.join()
        for future in futures[1:]:
            try:
                results.append(future.result())
            except BrokenProcessPool:
                break
    experiment.collect(results, tmp_path / "run")
    rest = experiment.units(tmp_path / "run")
    run = experiment.collect(map(spinney.play_unit, rest), tmp_path / "run")
    assert run.missing == 0
    assert sorted((tmp_path / "run/games-0-of-1.jsonl").read_bytes().splitlines()) == sorted(expected.splitlines())
