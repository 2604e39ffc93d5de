"""What calls cost, and how fast searches are beside the command line and OpenSpiel, each on one thread, in one run.

Rates of searches are per second of processor time, the two sides in turn, and the median of the rounds: machines are noisy.
"""

import json
import resource
import subprocess
import sys
import sysconfig
import time
from pathlib import Path
from statistics import median

import spinney

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "examples" / "python"))
from breakthrough import Breakthrough  # noqa: E402

ROUNDS = 5


def nanoseconds(action, repetitions=20_000):
    """The cost of a call, the least of some rounds."""
    best = float("inf")
    for _ in range(15):
        started = time.perf_counter()
        for _ in range(repetitions):
            action()
        best = min(best, (time.perf_counter() - started) / repetitions)
    return 1e9 * best


def calls():
    """play by number and by text, each less an undo; what text costs beyond is reading and writing moves."""
    for name in ("breakthrough", "havannah(size=5)", "tic-tac-toe", "checkers"):
        state = spinney.game(name).state()
        text = state.legal_moves()[0]
        play, undo = state.play, state.undo

        def by_number():
            play(0)
            undo()

        def by_text():
            play(text)
            undo()

        nothing = nanoseconds(lambda: None)
        play(0)
        play(0) if state.legal_moves() else None
        undo()
        undo()
        both, read = nanoseconds(by_number), nanoseconds(by_text)
        moves = nanoseconds(lambda: state.to_move)
        print(f"{name:20} play(number) + undo() {both - nothing:6.0f} ns   play(text) + undo() {read - nothing:6.0f} ns   to_move {moves - nothing:4.0f} ns")


def processor_seconds(work):
    started = time.process_time()
    result = work()
    return result, time.process_time() - started


def command_seconds(arguments):
    """What a command printed, and its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    line = json.loads(subprocess.run(arguments, capture_output=True, text=True, check=True).stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return line, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def searches(sims=400_000):
    """A search from Python beside the same one of the command line."""
    command = [sys.argv[1]] if len(sys.argv) > 1 else [str(Path(sysconfig.get_path("scripts")) / "spinney")]
    for game in ("breakthrough", "havannah(size=5)"):
        state, agent = spinney.game(game).state(), spinney.agent(f"mcts(sims={sims})")
        ratios = []
        for _ in range(ROUNDS):
            ours, seconds = processor_seconds(lambda: agent.analyse(state, seed=1))
            arguments = [*command, "analyse", game, "--agent", f"mcts(sims={sims})", "--seed", "1", "--json"]
            line, theirs = command_seconds(arguments)
            # What the program takes to start is none of the search.
            theirs -= command_seconds([*command, "analyse", game, "--agent", "mcts(sims=1)", "--json"])[1]
            seconds -= processor_seconds(lambda: agent.analyse(state, seed=1, sims=1))[1]
            assert line["best"] == ours.best and line["simulations"] == ours.simulations
            ratios.append((sims / seconds, sims / theirs))
        own, other = (median(column) for column in zip(*ratios))
        share = median(a / b for a, b in ratios)
        print(f"{game:20} {own:10,.0f} simulations a second from Python, {other:10,.0f} by {Path(command[0]).name}: {share:.3f}")


class SpielState:
    """The rules in Python as OpenSpiel's search in Python wants them: no C++ in between."""

    def __init__(self, game, state):
        self.game, self.state = game, state

    def clone(self):
        return SpielState(self.game, self.state)

    def legal_actions(self, player=None):
        return self.game.moves(self.state)

    def apply_action(self, move):
        # A number of NumPy has 64 bits, which the rules would overflow.
        self.state = self.game.apply(self.state, int(move))

    def is_terminal(self):
        return self.game.turn(self.state) > 2

    def current_player(self):
        return self.game.turn(self.state) - 1

    def is_chance_node(self):
        return False

    def is_simultaneous_node(self):
        return False

    def returns(self):
        return [1.0, -1.0] if self.game.turn(self.state) == 3 else [-1.0, 1.0]


class SpielGame:
    """The game of these states."""

    def __init__(self, pyspiel):
        self.type = pyspiel.load_game("breakthrough").get_type()

    def get_type(self):
        return self.type

    def num_players(self):
        return 2

    def max_utility(self):
        return 1.0

    def min_utility(self):
        return -1.0


def registered(pyspiel, game):
    """The same rules as a game of OpenSpiel that is written in Python, the way OpenSpiel has them."""
    kind = pyspiel.GameType(
        short_name=f"python_breakthrough_{game.rows}",
        long_name="Breakthrough in Python",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=game.move_ids(),
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=1000,
    )

    class State(pyspiel.State):
        def __init__(self, own):
            super().__init__(own)
            self.position = game.initial()

        def current_player(self):
            turn = game.turn(self.position)
            return turn - 1 if turn <= 2 else pyspiel.PlayerId.TERMINAL

        def _legal_actions(self, player):
            # In ascending order: OpenSpiel's states promise that.
            return sorted(game.moves(self.position))

        def _apply_action(self, action):
            self.position = game.apply(self.position, action)

        def is_terminal(self):
            return game.turn(self.position) > 2

        def returns(self):
            turn = game.turn(self.position)
            return [0.0, 0.0] if turn <= 2 else [1.0, -1.0] if turn == 3 else [-1.0, 1.0]

    class Registered(pyspiel.Game):
        def __init__(self, params=None):
            super().__init__(kind, info, params or {})

        def new_initial_state(self):
            return State(self)

    return Registered()


def python_rules(pyspiel, sims=300):
    """Breakthrough written in Python: our search beside OpenSpiel's search in Python, on the same rules."""
    import numpy
    from open_spiel.python.algorithms import mcts

    for rows, columns in ((6, 6), (8, 8)):
        game = Breakthrough(rows, columns)
        agent, state = spinney.agent(f"mcts(sims={sims}, playout=uniform, c=1.4)"), game.state()
        ratios = []
        for number in range(ROUNDS):
            _, ours = processor_seconds(lambda: agent.choose(state, seed=number))
            evaluator = mcts.RandomRolloutEvaluator(1, numpy.random.RandomState(number))
            bot = mcts.MCTSBot(SpielGame(pyspiel), 1.4, sims, evaluator, solve=True, random_state=numpy.random.RandomState(number))
            _, bare = processor_seconds(lambda: bot.mcts_search(SpielState(game, game.initial())))
            spiel = registered(pyspiel, game)
            bot = mcts.MCTSBot(spiel, 1.4, sims, evaluator, solve=True, random_state=numpy.random.RandomState(number))
            _, theirs = processor_seconds(lambda: bot.mcts_search(spiel.new_initial_state()))
            ratios.append((sims / ours, sims / theirs, sims / bare))
        own, other, bare = (median(column) for column in zip(*ratios))
        print(
            f"Python rules {rows}×{columns}: {own:7,.0f} simulations a second; OpenSpiel's Python search on them as a game of "
            f"OpenSpiel {other:6,.0f} ({median(a / b for a, b, _ in ratios):.1f} times), as bare objects without "
            f"OpenSpiel's states {bare:6,.0f} ({median(a / b for a, _, b in ratios):.1f} times)",
            flush=True,
        )


def wrapped(pyspiel, sims=2000):
    """OpenSpiel's C++ Breakthrough through the wrapper, beside its own C++ search."""
    from spinney import openspiel

    for name in ("breakthrough(rows=6,columns=6)", "breakthrough"):
        spiel = pyspiel.load_game(name)
        state = openspiel.game(spiel).state()
        translated = spinney.game(openspiel.translation(spiel).text).state()
        agent = spinney.agent(f"mcts(sims={sims}, playout=uniform, c=1.4)")
        agents = {
            "its rules through the wrapper": (agent, state),
            "our rules, as `openspiel.Bot` plays it": (agent, translated),
        }
        rows = {label: [] for label in agents}
        for number in range(ROUNDS):
            bot = pyspiel.MCTSBot(spiel, pyspiel.RandomRolloutEvaluator(1, number), 1.4, sims, 1000, True, number, False)
            _, theirs = processor_seconds(lambda: bot.mcts_search(spiel.new_initial_state()))
            for label, (agent, shown) in agents.items():
                _, ours = processor_seconds(lambda: agent.choose(shown, seed=number))
                rows[label].append((sims / ours, sims / theirs))
        for label, ratios in rows.items():
            own, other = (median(column) for column in zip(*ratios))
            share = median(a / b for a, b in ratios)
            print(f"{name}, {label}: {own:8,.0f} a second, OpenSpiel's C++ MCTSBot {other:8,.0f}: {share:.2f} times")


if __name__ == "__main__":
    calls()
    searches()
    try:
        import pyspiel
    except ImportError:
        sys.exit("OpenSpiel is not installed: the rest is left out")
    python_rules(pyspiel)
    wrapped(pyspiel)
