"""Breakthrough, written in Python: the game of the measurements, and a game of one's own with everything that one can have.

A position is a tuple of two sets of squares, which are the bits of numbers, and who is to move. A move is the square that it
leads to, times three, plus where it comes from: the left, straight or the right.
"""

import spinney


def squares_of(rows, columns):
    """For each twelve squares of a board: all sets of them as lists of numbers, times three."""
    count = rows * columns
    tables = []
    for low in range(0, count, 12):
        table = [[]]
        for bit in range(min(12, count - low)):
            table += [squares + [3 * (low + bit)] for squares in table]
        tables.append(table)
    return tables


class Breakthrough(spinney.Game):
    """Pawns race for the far side; written in Python."""

    name = "python-breakthrough"
    player_names = ("white", "black")

    def __init__(self, rows=6, columns=6):
        self.rows, self.columns = rows, columns
        board = (1 << rows * columns) - 1
        row = (1 << columns) - 1
        file_a = sum(1 << rank * columns for rank in range(rows))
        self.start = (row | row << columns, (row | row << columns) << (rows - 2) * columns, spinney.FIRST)
        self.top, self.bottom = row << (rows - 1) * columns, row
        self.board, self.not_left, self.not_right = board, board & ~file_a, board & ~(file_a << columns - 1)
        # What each move takes away and puts down, upwards and downwards.
        self.up, self.down = (
            [self._step(square, square + behind + side - 1) for square in range(rows * columns) for side in range(3)]
            for behind in (-columns, columns)
        )
        # Lists of moves for each part of the board, from each of the three sides.
        self.tables = [
            (12 * part, *([[square + side for square in squares] for squares in table] for side in range(3)))
            for part, table in enumerate(squares_of(rows, columns))
        ]

        self.small = [table for _, *sides in self.tables for table in sides] if len(self.tables) == 3 else None

    def _step(self, to, start):
        return ~(1 << max(start, 0)), 1 << to, ~(1 << to)

    def options(self):
        return {"rows": self.rows, "columns": self.columns}

    def initial(self):
        return self.start

    def turn(self, state):
        white, black, mover = state
        if white & self.top or not black:
            return spinney.FIRST_WON
        if black & self.bottom or not white:
            return spinney.SECOND_WON
        return mover

    def moves(self, state):
        white, black, mover = state
        columns = self.columns
        if mover == 1:
            free = self.board & ~white
            straight = white << columns & free & ~black
            left = (white & self.not_right) << columns + 1 & free
            right = (white & self.not_left) << columns - 1 & free
        else:
            straight = black >> columns & ~(white | black)
            left = (black & self.not_right) >> columns - 1 & ~black
            right = (black & self.not_left) >> columns + 1 & ~black
        if self.small:
            # Three parts, written out: a loop takes a third longer.
            a, b, c, d, e, f, g, h, i = self.small
            return [
                *a[left & 4095], *b[straight & 4095], *c[right & 4095],
                *d[left >> 12 & 4095], *e[straight >> 12 & 4095], *f[right >> 12 & 4095],
                *g[left >> 24], *h[straight >> 24], *i[right >> 24],
            ]  # fmt: skip
        found = []
        for shift, from_left, from_below, from_right in self.tables:
            found += from_left[left >> shift & 4095]
            found += from_below[straight >> shift & 4095]
            found += from_right[right >> shift & 4095]
        return found

    def apply(self, state, move):
        white, black, mover = state
        if mover == 1:
            left, put, taken = self.up[move]
            return (white & left | put, black & taken, 2)
        left, put, taken = self.down[move]
        return (white & taken, black & left | put, 1)

    def move_ids(self):
        return 3 * self.rows * self.columns

    # What follows is not needed for searches.

    def evaluate(self, state):
        white, black, _ = state
        return (bin(white).count("1") - bin(black).count("1")) / (2 * self.columns)

    def quality(self, state, winner):
        return abs(self.evaluate(state))

    def key(self, state):
        return hash(state)

    def write_move(self, state, move):
        square, side = divmod(move, 3)
        behind = -self.columns if state[2] == 1 else self.columns
        sign = "x" if (state[0] | state[1]) >> square & 1 else "-"
        return self._name_of(square + behind + side - 1) + sign + self._name_of(square)

    def _name_of(self, square):
        rank, column = divmod(square, self.columns)
        return f"{'abcdefgh'[column]}{rank + 1}"

    def _letter(self, state, square):
        return "w" if state[0] >> square & 1 else "b" if state[1] >> square & 1 else "."

    def write_position(self, state):
        ranks = range(self.rows - 1, -1, -1)
        rows = ["".join(self._letter(state, rank * self.columns + c) for c in range(self.columns)) for rank in ranks]
        return f"{'/'.join(rows)} {state[2]}"

    def read_position(self, text):
        board, mover = text.split()
        letters = "".join(reversed(board.split("/")))
        if len(letters) != self.rows * self.columns or set(letters) - set("wb.") or mover not in "12":
            raise ValueError("that is no board")
        white, black = (sum(1 << s for s, letter in enumerate(letters) if letter == own) for own in "wb")
        return (white, black, int(mover))

    def draw(self, state):
        lines = self.write_position(state).split()[0].split("/")
        return "".join(f"{self.rows - number} {' '.join(line)}\n" for number, line in enumerate(lines))

    def scene(self, state):
        squares = range(self.rows * self.columns)
        cells = [
            {
                "name": self._name_of(square),
                "x": square % self.columns,
                "y": self.rows - 1 - square // self.columns,
                "tone": "plain" if (square // self.columns + square) % 2 else "dark",
            }
            for square in squares
        ]
        owners = {"w": 1, "b": 2}
        pieces = [
            {"cell": square, "owner": owners[self._letter(state, square)], "figure": "pawn"}
            for square in squares
            if self._letter(state, square) != "."
        ]
        return {"shape": "square", "cells": cells, "pieces": pieces}


if __name__ == "__main__":
    spinney.register(Breakthrough)
    print(spinney.match(Breakthrough(), "mcts(sims=200)", "mcts(sims=50)", games=20))
