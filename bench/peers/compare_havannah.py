"""Random games of OpenSpiel's Havannah against ours: legal moves, end of the game and winner of every position."""

import argparse
import importlib.util
import json
import random
import subprocess
import sys

SIDES = (4, 5, 6, 8)


def position(size, stones, mover):
    """Rows of the hexagon from top to bottom and the side to move."""
    rows = []
    for row in range(2 * size - 1):
        columns = range(max(0, row - size + 1), min(2 * size - 1, row + size))
        rows.append("".join(str(stones.get(f"{chr(ord('a') + column)}{row + 1}", ".")) for column in columns))
    return "/".join(rows) + f" {mover}"


def play(pyspiel, size, chance):
    """Yields each position of one random game with its legal moves, or its winner at the end."""
    state = pyspiel.load_game(f"havannah(board_size={size})").new_initial_state()
    stones, mover = {}, 1
    while not state.is_terminal():
        names = {state.action_to_string(state.current_player(), action): action for action in state.legal_actions()}
        yield {"position": position(size, stones, mover), "over": False, "moves": sorted(names)}
        name = chance.choice(sorted(names))
        stones[name] = mover
        state.apply_action(names[name])
        mover = 3 - mover
    first = state.returns()[0]
    winner = 1 if first > 0 else 2 if first < 0 else 0
    yield {"position": position(size, stones, mover), "over": True, "moves": [], "winner": winner}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spinney", default="target/release/spinney", help="the program to compare")
    parser.add_argument("--games", type=int, default=500, help="random games on each size of board")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if importlib.util.find_spec("pyspiel") is None:
        print("pyspiel is not installed: nothing compared")
        return 0
    import pyspiel

    compared = differences = 0
    for size in SIDES:
        chance = random.Random(f"{arguments.seed}/{size}")
        expected = [entry for _ in range(arguments.games) for entry in play(pyspiel, size, chance)]
        lines = "".join(entry["position"] + "\n" for entry in expected)
        command = [arguments.spinney, "moves", f"havannah(size={size})", "-"]
        answer = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
        found = [json.loads(line) for line in answer.stdout.splitlines()]
        if len(found) != len(expected):
            print(f"{len(expected)} positions were asked for and {len(found)} answered")
            return 1
        for ours, theirs in zip(found, expected):
            same = ours["over"] == theirs["over"] and sorted(ours["moves"]) == theirs["moves"]
            same = same and (not ours["over"] or ours["winner"] == theirs["winner"])
            compared += 1
            if not same:
                differences += 1
                print(f"difference in {theirs['position']}: ours {ours}, OpenSpiel {theirs}")
    print(f"positions compared {compared}, differences {differences}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
