#!/usr/bin/env python3
"""Compares the legal moves of Checkers with OpenSpiel's in every position of random games.

OpenSpiel draws the board as our mirror image and plays a sequence of jumps as several actions of one player, which are
joined here. Its draw rules differ (40 moves without a capture; king against king goes on), so only moves and wins are
compared, and positions that are drawn on either side are left out.
"""

import argparse
import json
import random
import subprocess
import sys

PIECES = {"o": "w", "8": "W", "+": "b", "*": "B", ".": "."}


def position(state, player):
    """The position in our notation with `player` to move: every row turned round."""
    rows = str(state).splitlines()[:8]
    board = "/".join("".join(PIECES[piece] for piece in reversed(row[1:9])) for row in rows)
    return f"{board} {player + 1}"


def square(name):
    """The number of a square that OpenSpiel names like a3."""
    column, rank = 7 - (ord(name[0]) - ord("a")), int(name[1]) - 1
    return rank * 4 + column // 2 + 1


def moves(state, path=()):
    """All complete moves from `state`, each as in our notation; `path` is what the player has jumped so far."""
    player = state.current_player()
    for action in state.legal_actions():
        text = state.action_to_string(action)
        start, end = square(text[:2]), square(text[2:4])
        if path and path[-1] != start:
            continue
        jumps = abs(ord(text[0]) - ord(text[2])) == 2
        longer = (*path, end) if path else (start, end)
        after = state.child(action)
        if not after.is_terminal() and after.current_player() == player:
            yield from moves(after, longer)
        else:
            yield ("x" if jumps else "-").join(map(str, longer))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--spinney", default="target/release/spinney", help="the program to compare")
    parser.add_argument("--games", type=int, default=500, help="random games to play")
    options = parser.parse_args()
    try:
        import pyspiel
    except ImportError:
        print("pyspiel is not installed; nothing is compared")
        return 0

    game = pyspiel.load_game("checkers")
    expected = []
    for seed in range(options.games):
        chance = random.Random(seed)
        state = game.new_initial_state()
        while not state.is_terminal():
            player = state.current_player()
            expected.append((position(state, player), sorted(moves(state)), None))
            while not state.is_terminal() and state.current_player() == player:
                state.apply_action(chance.choice(state.legal_actions()))
        if state.returns()[player] > 0:
            expected.append((position(state, 1 - player), [], player + 1))

    command = [options.spinney, "moves", "checkers", "-"]
    lines = "".join(f"{text}\n" for text, _, _ in expected)
    answers = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(answers) == len(expected), f"{len(answers)} answers to {len(expected)} positions"
    compared = differences = 0
    for (text, theirs, winner), answer in zip(expected, map(json.loads, answers)):
        if answer["over"] and answer["winner"] == 0:
            continue
        compared += 1
        ours = sorted(answer["moves"])
        if ours != theirs or answer.get("winner") != winner:
            differences += 1
            print(f"{text}\n  spinney {ours} {answer.get('winner')}\n  OpenSpiel {theirs} {winner}", file=sys.stderr)
    print(f"positions compared {compared}, differences {differences}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
