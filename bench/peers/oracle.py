"""What the compare scripts share: another program's rules as the oracle for ours.

A compare script says how a position of OpenSpiel is written in our notation; `main` plays random games there, asks
`spinney moves` about the positions, and reports every difference in legal moves, in the end of games and in winners.
"""

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple, Optional

ROOT = Path(__file__).resolve().parent.parent.parent

# Neighbouring positions of one game are much alike, so only some are taken; the last one always is.
SHARE_TAKEN = 0.25
MOST_SHOWN = 10


class Sample(NamedTuple):
    """A position in our notation and what the oracle says of it."""

    position: str
    moves: frozenset
    over: bool = False
    # 1 or 2, 0 for a draw, None while the game goes on.
    winner: Optional[int] = None


def load_pyspiel():
    """OpenSpiel's module; without it there is nothing to compare, which is no failure."""
    try:
        import pyspiel
    except ImportError:
        print("skipped: this Python has no pyspiel; bench/peers/openspiel installs it into bench/peers/.venv")
        sys.exit(0)
    return pyspiel


def winner_of(state):
    """The winner as we number players, or None while the game goes on."""
    if not state.is_terminal():
        return None
    first, second = state.returns()
    return 0 if first == second else 1 if first > second else 2


def read_arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--positions", type=int, default=1000, metavar="N", help="at least so many (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random games (default: 1)")
    parser.add_argument(
        "--spinney",
        type=Path,
        default=ROOT / "target" / "release" / "spinney",
        metavar="PATH",
        help="the program to test (default: target/release/spinney)",
    )
    return parser.parse_args()


def collect(pyspiel, games, convert, positions, seed):
    """Different positions from random games, the games in turn; `convert` makes a sample of a state, or None where
    the state is no position of ours."""
    dice = random.Random(seed)
    loaded = [pyspiel.load_game(game) for game in games]
    samples = {}
    played = 0
    while len(samples) < positions:
        state = loaded[played % len(loaded)].new_initial_state()
        played += 1
        while True:
            over = state.is_terminal()
            if over or dice.random() < SHARE_TAKEN:
                sample = convert(state)
                if sample is not None:
                    samples[sample.position] = sample
            if over:
                break
            state.apply_action(dice.choice(state.legal_actions()))
    return list(samples.values())


def ask_spinney(program, game, samples):
    """The answers of `spinney moves`, one for each sample."""
    questions = "".join(f"{sample.position}\n" for sample in samples)
    try:
        done = subprocess.run([program, "moves", game, "-"], input=questions, capture_output=True, text=True)
    except OSError as error:
        sys.exit(f"{program} cannot be run ({error.strerror}): cargo build --release makes it, --spinney names another")
    if done.returncode != 0:
        sys.exit(f"spinney moves refused a position: {done.stderr.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def difference(sample, answer):
    """What differs, in words, or None."""
    moves = answer["moves"]
    if answer["position"] != sample.position:
        return f"read as {answer['position']}"
    if (answer["over"], answer.get("winner")) != (sample.over, sample.winner):
        return f"over {answer['over']}, winner {answer.get('winner')}; oracle: {sample.over}, {sample.winner}"
    if len(moves) != len(set(moves)):
        return f"a move is listed twice: {sorted(moves)}"
    if set(moves) != sample.moves:
        return f"only ours {sorted(set(moves) - sample.moves)}; only the oracle's {sorted(sample.moves - set(moves))}"
    return None


def compare(program, game, samples):
    """Prints the differences and a summary line; true if there are none."""
    answers = ask_spinney(program, game, samples)
    if len(answers) != len(samples):
        sys.exit(f"spinney moves gave {len(answers)} answers to {len(samples)} positions")
    pairs = ((sample.position, difference(sample, answer)) for sample, answer in zip(samples, answers))
    found = [f"{position}: {words}" for position, words in pairs if words is not None]
    for line in found[:MOST_SHOWN]:
        print(line)
    if len(found) > MOST_SHOWN:
        print(f"and {len(found) - MOST_SHOWN} more")
    print(f"positions compared {len(samples)}, differences {len(found)}")
    return not found


def main(description, game, openspiel_games, convert):
    """The whole of a compare script: `game` is ours, `openspiel_games` are the oracle's, of whatever sizes."""
    arguments = read_arguments(description)
    samples = collect(load_pyspiel(), openspiel_games, convert, arguments.positions, arguments.seed)
    sys.exit(0 if compare(arguments.spinney, game, samples) else 1)
