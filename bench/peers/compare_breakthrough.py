"""Compares our rules of Breakthrough with OpenSpiel's on positions from random games.

OpenSpiel's first player is `b` at the top and moves down; ours is `w` at the bottom and moves up. Its boards are
therefore turned over, ranks and colours both.
"""

import oracle

BOARDS = [(8, 8), (6, 6), (5, 7)]
GAMES = [f"breakthrough(rows={rows},columns={columns})" for rows, columns in BOARDS]
OTHER_COLOUR = str.maketrans("bw", "wb")


def convert(state):
    # Each row begins with its rank; the last line holds the column letters.
    rows = [row.lstrip("0123456789").translate(OTHER_COLOUR) for row in str(state).split("\n") if row[:1].isdigit()]
    # The state of a finished game names no player to move, hence the count of moves.
    mover = len(state.history()) % 2 + 1
    moves = frozenset(convert_move(state.action_to_string(action), len(rows)) for action in state.legal_actions())
    return oracle.Sample(f"{'/'.join(reversed(rows))} {mover}", moves, state.is_terminal(), oracle.winner_of(state))


def convert_move(text, rows):
    """`a7b6`, or `a7b6*` for a capture."""
    start, end = (f"{text[at]}{rows + 1 - int(text[at + 1])}" for at in (0, 2))
    return f"{start}{'x' if text.endswith('*') else '-'}{end}"


if __name__ == "__main__":
    oracle.main("Compare our rules of Breakthrough with OpenSpiel's.", "breakthrough", GAMES, convert)
