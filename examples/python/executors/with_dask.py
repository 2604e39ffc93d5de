"""An experiment on a cluster of Dask; a unit whose worker dies is played by another."""

import sys

import spinney
from dask.distributed import Client


def run(experiment, out, client=None):
    with client or Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        futures = client.map(spinney.play_unit, experiment.units(out), pure=False)
        return experiment.collect(client.gather(futures), out)


if __name__ == "__main__":
    print(run(spinney.Experiment.from_toml(sys.argv[1]), sys.argv[2]))
