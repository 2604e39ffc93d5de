"""Strength against OpenSpiel's C++ MCTS bot at the same time per move: 100 games a game, seats swapped, one thread each.

`python strength.py [games] [simulations of OpenSpiel's bot]`. Its bot knows no clock, so that it makes a fixed number of
simulations, and ours gets for each move the time that its last move took.
"""

import sys
import time

import pyspiel
import spinney
from spinney import openspiel

GAMES = [("breakthrough", "breakthrough"), ("checkers", "checkers"), ("havannah(size=5)", "havannah(board_size=5)")]


class Timed(openspiel.Player):
    """Their bot, whose moves are timed."""

    seconds = 0.1

    def choose(self, state, seed=1):
        started = time.perf_counter()
        move = super().choose(state, seed)
        self.seconds = time.perf_counter() - started
        return move


class InTheSameTime:
    """Our agent with the time of their last move."""

    def __init__(self, text, other):
        self.agent, self.other, self.text = spinney.agent(text), other, text

    def choose(self, state, seed=1):
        return self.agent.choose(state, seed, time=self.other.seconds)


def main(games=100, simulations=1000):
    for ours, theirs in GAMES:
        def make(spiel):
            evaluator = pyspiel.RandomRolloutEvaluator(1, 11)
            return pyspiel.MCTSBot(spiel, evaluator, 1.4, simulations, 1000, True, 11, False)

        their = Timed(make, theirs)
        result = spinney.match(ours, InTheSameTime("mcts", their), their, games=games, seed=1)
        low, high = result.interval
        ms = result.summary["milliseconds_per_move"]
        print(
            f"{ours}: {100 * result.score:.1f} % [{100 * low:.1f}, {100 * high:.1f}] of {result.games} games, "
            f"{result.wins} won, {result.draws} drawn, {result.losses} lost; "
            f"{ms[0]:.0f} and {ms[1]:.0f} ms a move",
            flush=True,
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
