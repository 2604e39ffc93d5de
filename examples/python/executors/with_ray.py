"""An experiment on a cluster of Ray; a unit whose worker dies is played again."""

import sys

import ray
import spinney


def run(experiment, out):
    ray.init(ignore_reinit_error=True, include_dashboard=False, num_cpus=2)
    play = ray.remote(max_retries=3)(spinney.play_unit)
    results = ray.get([play.remote(unit) for unit in experiment.units(out)])
    return experiment.collect(results, out)


if __name__ == "__main__":
    print(run(spinney.Experiment.from_toml(sys.argv[1]), sys.argv[2]))
