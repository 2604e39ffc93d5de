#!/usr/bin/env python3
"""Compares the legal moves of Amazons on 10×10 with OpenSpiel's in every position of random games.

OpenSpiel plays a move as three actions (from, to, arrow), which are joined here.
"""

import argparse
import json
import random
import subprocess
import sys

PIECES = {"X": "W", "O": "B", "#": "x", ".": "."}


def position(state, player):
    """The position in our notation with `player` to move."""
    board = "/".join("".join(PIECES[piece] for piece in row) for row in str(state).splitlines()[:10])
    return f"{board} {player + 1}"


def square(action):
    """The name of a square that OpenSpiel numbers row by row from the top."""
    return f"{chr(ord('a') + action % 10)}{10 - action // 10}"


def moves(state):
    """All moves from `state`, each as in our notation."""
    for start in state.legal_actions():
        chosen = state.child(start)
        for end in chosen.legal_actions():
            for arrow in chosen.child(end).legal_actions():
                yield f"{square(start)}-{square(end)}/{square(arrow)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--spinney", default="target/release/spinney", help="the program to compare")
    parser.add_argument("--games", type=int, default=20, help="random games to play")
    options = parser.parse_args()
    try:
        import pyspiel
    except ImportError:
        print("pyspiel is not installed; nothing is compared")
        return 0

    game = pyspiel.load_game("amazons")
    expected = []
    for seed in range(options.games):
        chance = random.Random(seed)
        state = game.new_initial_state()
        while not state.is_terminal():
            player = state.current_player()
            expected.append((position(state, player), sorted(moves(state)), None))
            for _ in range(3):
                state.apply_action(chance.choice(state.legal_actions()))
        winner = 1 if state.returns()[0] > 0 else 2
        expected.append((position(state, 1 - player), [], winner))

    command = [options.spinney, "moves", "amazons", "-"]
    lines = "".join(f"{text}\n" for text, _, _ in expected)
    answers = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(answers) == len(expected), f"{len(answers)} answers to {len(expected)} positions"
    differences = 0
    for (text, theirs, winner), answer in zip(expected, map(json.loads, answers)):
        ours = sorted(answer["moves"])
        if ours != theirs or answer.get("winner") != winner:
            differences += 1
            only = (sorted(set(ours) - set(theirs))[:5], sorted(set(theirs) - set(ours))[:5])
            print(f"{text}\n  only spinney {only[0]}\n  only OpenSpiel {only[1]}", file=sys.stderr)
    print(f"positions compared {len(expected)}, differences {differences}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
