"""Measures OpenSpiel's C++ Monte-Carlo tree search beside ours, in one run, each on one thread.

Both search the initial position with uniform play-outs, one for each iteration, with the same selection rule and
constant, a solver, and the same number of iterations. The two take turns, because machines are noisy, and rates are
per second of processor time; the ratio is the median over the rounds. On first use this makes a virtual environment
beside this file and installs OpenSpiel.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ENVIRONMENT = HERE / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"

EXIT_MISSING = 2
MEMORY_MEGABYTES = 1024
EXPLORATION = 1
# A program that gets less of a processor than this shares its caches, too.
QUIET_SHARE = 0.9
AGENT = f"mcts(sims={{sims}}, playout=uniform, c={EXPLORATION}, memory={MEMORY_MEGABYTES})"


class Peers(NamedTuple):
    """The same game in both programs, and our agent."""

    ours: str
    openspiel: str
    agent: str = AGENT


# One line for each game whose rules both programs know.
GAMES = {
    "breakthrough": Peers("breakthrough", "breakthrough(rows=8,columns=8)"),
    "checkers": Peers("checkers", "checkers"),
    "havannah": Peers("havannah(size=8)", "havannah(board_size=8)"),
    "amazons": Peers("amazons", "amazons"),
}


class Speed(NamedTuple):
    """Iterations per second of wall time, and the share of one processor the program got meanwhile."""

    wall_rate: float
    share: float

    @property
    def rate(self):
        """Iterations per second of processor time: what else runs on the machine counts for neither program."""
        return self.wall_rate / self.share


class Missing(Exception):
    """Something outside this project is not there; the message says what to do."""


def read_arguments():
    parser = argparse.ArgumentParser(prog="openspiel", description="Measure OpenSpiel's tree search beside ours.")
    parser.add_argument("--game", choices=sorted(GAMES), default="breakthrough", help="default: breakthrough")
    parser.add_argument("--rounds", type=positive, default=7, metavar="N", help="pairs of measurements (default: 7)")
    parser.add_argument("--sims", type=positive, default=20000, metavar="N", help="per search (default: 20000)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    return parser.parse_args()


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("write a number from 1")
    return number


def run(command, remedy, **options):
    """Runs a command quietly; if it fails, the last line of what it said goes into the message."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, **options)
    except OSError as error:
        raise Missing(f"{remedy} ({error.strerror}: {command[0]})") from error
    if done.returncode != 0:
        said = [line.strip() for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        errors = [line for line in said if line.lower().startswith("error")] or said[-1:]
        raise Missing(f"{remedy} ({errors[-1] if errors else f'exit code {done.returncode}'})")
    return done.stdout


def enter_environment():
    """Continues in the virtual environment, which is made and filled first if need be."""
    if Path(sys.prefix).resolve() == ENVIRONMENT:
        return
    attempt = [PYTHON, "-c", "import pyspiel"]
    if not (PYTHON.exists() and subprocess.run(attempt, capture_output=True).returncode == 0):
        print(f"installing OpenSpiel into {ENVIRONMENT.relative_to(ROOT)}", file=sys.stderr)
        run([sys.executable, "-m", "venv", ENVIRONMENT], "no virtual environment; install Python's venv module")
        install = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "open_spiel"]
        run(install, "open_spiel cannot be installed; is there a network, and a wheel for this machine?")
    os.execv(PYTHON, [PYTHON, __file__, *sys.argv[1:]])


def build_spinney():
    """Builds our side and returns the program."""
    remedy = "spinney cannot be built; try cargo build --release"
    run(["cargo", "build", "--release", "--package", "spinney-cli"], remedy, cwd=ROOT)
    about = run(["cargo", "metadata", "--no-deps", "--format-version", "1"], remedy, cwd=ROOT)
    return Path(json.loads(about)["target_directory"]) / "release" / "spinney"


def measure_openspiel(peers, sims, seed):
    import pyspiel

    game = pyspiel.load_game(peers.openspiel)
    state = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, sims, MEMORY_MEGABYTES, solve=True, seed=seed, verbose=False)
    started, started_processor = time.perf_counter(), time.process_time()
    root = bot.mcts_search(state)
    seconds = time.perf_counter() - started
    processor = time.process_time() - started_processor
    # What was made, not what was asked for: a search ends early once the position is solved.
    return Speed(root.explore_count / seconds, processor / seconds)


def measure_ours(program, peers, sims):
    command = [program, "bench", peers.ours, "--agent", peers.agent.format(sims=sims), "--seconds", "1", "--json"]
    started, before = time.perf_counter(), os.times()
    line = run(command, "spinney bench failed")
    seconds, after = time.perf_counter() - started, os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return Speed(json.loads(line)["simulations_per_second"], processor / seconds)


def measure(program, peers, arguments):
    """Pairs of speeds, OpenSpiel's and ours; who goes first changes from round to round."""
    pairs = []
    for number in range(1, arguments.rounds + 1):
        if number % 2 == 1:
            theirs = measure_openspiel(peers, arguments.sims, number)
            ours = measure_ours(program, peers, arguments.sims)
        else:
            ours = measure_ours(program, peers, arguments.sims)
            theirs = measure_openspiel(peers, arguments.sims, number)
        pairs.append((theirs, ours))
        if sys.stderr.isatty():
            print(f"round {number} of {arguments.rounds}", end="\r", file=sys.stderr, flush=True)
    return pairs


def summarise(peers, arguments, pairs):
    from importlib.metadata import version

    ratios = [ours.rate / theirs.rate for theirs, ours in pairs]
    return {
        "game": peers.ours,
        "openspiel_game": peers.openspiel,
        "openspiel_version": version("open_spiel"),
        "agent": peers.agent.format(sims=arguments.sims),
        "sims": arguments.sims,
        "rounds": arguments.rounds,
        "openspiel_per_second": median(theirs.rate for theirs, _ in pairs),
        "spinney_per_second": median(ours.rate for _, ours in pairs),
        "ratio": median(ratios),
        "ratio_min": min(ratios),
        "ratio_max": max(ratios),
        "openspiel_share": min(theirs.share for theirs, _ in pairs),
        "spinney_share": min(ours.share for _, ours in pairs),
    }


def print_table(summary):
    print(f"{summary['openspiel_game']}, {summary['sims']} iterations per search, median of {summary['rounds']} rounds")
    print(f"{'iterations/s':>13}  program")
    print(f"{summary['openspiel_per_second']:>13,.0f}  OpenSpiel {summary['openspiel_version']} MCTSBot, C++")
    print(f"{summary['spinney_per_second']:>13,.0f}  spinney {summary['agent']}")
    print(f"ratio {summary['ratio']:.1f} (from {summary['ratio_min']:.1f} to {summary['ratio_max']:.1f})")
    share = min(summary["openspiel_share"], summary["spinney_share"])
    if share < QUIET_SHARE:
        print(f"a program got only {share:.0%} of a processor at times: measure again on a quiet machine")


def main():
    arguments = read_arguments()
    peers = GAMES[arguments.game]
    try:
        enter_environment()
        summary = summarise(peers, arguments, measure(build_spinney(), peers, arguments))
    except Missing as missing:
        print(f"openspiel: {missing}", file=sys.stderr)
        return EXIT_MISSING
    if arguments.json:
        print(json.dumps(summary))
    else:
        print_table(summary)
    return 0


if __name__ == "__main__":
    sys.exit(main())
