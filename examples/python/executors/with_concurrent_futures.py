"""An experiment on the processes of one machine, by Python's own `concurrent.futures`."""

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import spinney


def run(experiment, out):
    # A new process, not a copy of this one: threads are not copied.
    with ProcessPoolExecutor(max_workers=2, mp_context=get_context("spawn")) as pool:
        return experiment.collect(pool.map(spinney.play_unit, experiment.units(out)), out)


if __name__ == "__main__":
    print(run(spinney.Experiment.from_toml(sys.argv[1]), sys.argv[2]))
