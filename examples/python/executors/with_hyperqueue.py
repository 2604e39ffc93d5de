"""An experiment by HyperQueue, which also takes nodes of Slurm or PBS; units and results are files."""

import pickle
import sys
from pathlib import Path

import spinney
from hyperqueue import Job, LocalCluster


def run(experiment, out):
    folder = Path(f"{out}-units").absolute()
    folder.mkdir(parents=True, exist_ok=True)
    job = Job(max_fails=3)
    for number, unit in enumerate(experiment.units(out)):
        (folder / f"{number}.unit").write_bytes(pickle.dumps(unit))
        job.program([sys.executable, __file__, f"{number}.unit"], cwd=folder)
    with LocalCluster() as cluster:
        cluster.start_worker()
        cluster.client().wait_for_jobs([cluster.client().submit(job)])
    return experiment.collect([pickle.loads(path.read_bytes()) for path in folder.glob("*.result")], out)


if __name__ == "__main__":
    result = spinney.play_unit(pickle.loads(Path(sys.argv[1]).read_bytes()))
    Path(sys.argv[1]).with_suffix(".result").write_bytes(pickle.dumps(result))
