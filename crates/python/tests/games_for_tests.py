"""Small games in Python that tests play; processes that unpickle them import this file."""

import spinney


class Nim(spinney.Game):
    """Take one or two matches; whoever takes the last one wins."""

    name = "nim"

    def __init__(self, matches=7):
        self.matches = matches

    def options(self):
        return {"matches": self.matches}

    def initial(self):
        return (self.matches, 1)

    def turn(self, state):
        left, player = state
        return player if left else (spinney.SECOND_WON if player == 1 else spinney.FIRST_WON)

    def moves(self, state):
        return list(range(1, min(2, state[0]) + 1))

    def apply(self, state, move):
        return (state[0] - move, 3 - state[1])

    def move_ids(self):
        return 3


class NimInPlace(Nim):
    """The same with positions that change."""

    name = "nim-in-place"

    def initial(self):
        return [self.matches, 1]

    def copy(self, state):
        return list(state)

    def apply(self, state, move):
        state[0] -= move
        state[1] = 3 - state[1]


class Coin(spinney.Game):
    """Guess a biased coin twice, alone."""

    name = "coin"

    def initial(self):
        return (0, None, 0)

    def turn(self, state):
        rounds, guess, _ = state
        return spinney.SCORED if rounds == 2 else spinney.CHANCE if guess is not None else spinney.FIRST

    def moves(self, state):
        return [0, 1]

    def apply(self, state, move):
        rounds, guess, points = state
        return (rounds, move, points) if guess is None else (rounds + 1, None, points + (guess == move))

    def move_ids(self):
        return 2

    def outcomes(self, state):
        return [(0, 0.25), (1, 0.75)]

    def score(self, state):
        return float(state[2])


class DiceRace(spinney.Game):
    """Throw a die in turn, once or not at all; the larger sum after two rounds wins."""

    name = "dice-race"

    def initial(self):
        return (0, 0, 0, False)

    def turn(self, state):
        turns, first, second, throws = state
        if throws:
            return spinney.CHANCE
        if turns == 4:
            return spinney.DRAWN if first == second else spinney.FIRST_WON if first > second else spinney.SECOND_WON
        return spinney.FIRST + turns % 2

    def moves(self, state):
        return [0, 1]

    def apply(self, state, move):
        turns, first, second, throws = state
        if throws:
            return (turns + 1, first + move * (turns % 2 == 0), second + move * (turns % 2 == 1), False)
        return (turns, first, second, True) if move else (turns + 1, first, second, False)

    def move_ids(self):
        return 4

    def outcomes(self, state):
        return [(eyes, 1 / 3) for eyes in (1, 2, 3)]
