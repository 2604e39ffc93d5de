"""An experiment by joblib."""

import sys

import spinney
from joblib import Parallel, delayed


def run(experiment, out):
    results = Parallel(n_jobs=2)(delayed(spinney.play_unit)(unit) for unit in experiment.units(out))
    return experiment.collect(results, out)


if __name__ == "__main__":
    print(run(spinney.Experiment.from_toml(sys.argv[1]), sys.argv[2]))
