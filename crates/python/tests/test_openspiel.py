"""OpenSpiel's games for our searches, and our searches in its games."""

import doctest
import random

import pytest
import spinney

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
from spinney import openspiel  # noqa: E402


def test_examples_in_docstrings():
    globs = {"spinney": spinney, "openspiel": openspiel, "pyspiel": pyspiel}
    assert doctest.testmod(openspiel, extraglobs=globs).failed == 0


@pytest.mark.parametrize("name", ["connect_four", "tic_tac_toe", "breakthrough(rows=5,columns=5)", "pig", "2048", "nim"])
def test_its_games_are_searched(name):
    game = openspiel.game(name)
    state = game.state()
    while state.to_move == 0:
        state.draw_outcome(seed=3)
    sims = 20 if name == "2048" else 60
    agent = spinney.agent(f"mcts(sims={sims}, playout=uniform+cap(plies=60))" if name != "2048" else "mcts(sims=4)")
    move = agent.choose(state, seed=1)
    assert move in state.legal_moves()
    assert (state.score is not None) == (game.spiel.num_players() == 1)


def test_a_game_of_it_conforms():
    for name in ("connect_four", "tic_tac_toe"):
        openspiel.game(name).check(games=3)
    state = openspiel.game("connect_four").state(moves=["x3", "o3"])
    assert state.position == "3 3" and openspiel.game("connect_four").state("3 3").position == "3 3"


def test_games_that_cannot_be_searched_are_refused():
    for name in ("kuhn_poker", "goofspiel"):
        with pytest.raises(ValueError):
            openspiel.game(name)


def test_a_winning_move_is_found():
    state = openspiel.game("connect_four").state()
    for column in (3, 0, 3, 0, 3, 0):
        state.play(state.legal_moves()[column])
    analysis = spinney.agent("mcts(sims=400)").analyse(state, seed=1)
    assert analysis.best == "x3" and analysis.proven == "win"


@pytest.mark.parametrize(
    "name", ["breakthrough(rows=6,columns=6)", "breakthrough", "checkers", "havannah(board_size=4)", "tic_tac_toe", "amazons"]
)
def test_translations_agree_in_random_games(name):
    """Positions and moves of both are the same, all through random games."""
    spiel = pyspiel.load_game(name)
    translation = openspiel.translation(spiel)
    dice = random.Random(7)
    for _ in range(1 if name == "amazons" else 5):
        state = spiel.new_initial_state()
        for _ in range(12 if name == "amazons" else 60):
            if state.is_terminal():
                break
            ours = spinney.game(translation.text).state(translation.position(state))
            moves = dict(translation.moves(state))
            if ours.is_over:  # Draws of Checkers come at different times.
                assert name == "checkers" and ours.outcome == 0
                break
            assert sorted(moves) == sorted(ours.legal_moves()), str(state)
            for action in dice.choice(list(moves.values())):
                state.apply_action(action)


def play(first, second, spiel):
    """A game of two bots by OpenSpiel's own function."""
    state = spiel.new_initial_state()
    bots = [first, second]
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    return state.returns()[0]


@pytest.mark.parametrize("name", ["breakthrough(rows=6,columns=6)", "checkers", "connect_four", "tic_tac_toe"])
def test_our_agent_is_a_bot_of_it(name):
    spiel = pyspiel.load_game(name)
    bot = openspiel.Bot("mcts(sims=60)", spiel, seed=2)
    assert isinstance(bot, pyspiel.Bot) and (bot.translation is None) == (name == "connect_four")
    random_bot = pyspiel.make_uniform_random_bot(1, 5)
    assert play(bot, random_bot, spiel) == 1.0


def test_its_bots_play_our_matches():
    def make(spiel):
        evaluator = pyspiel.RandomRolloutEvaluator(1, 3)
        return pyspiel.MCTSBot(spiel, evaluator, 1.4, 10, 100, True, 3, False)

    for ours, theirs in (("breakthrough(rows=6, columns=6)", "breakthrough(rows=6,columns=6)"), ("checkers", "checkers")):
        result = spinney.match(ours, "mcts(sims=100)", openspiel.Player(make, theirs), games=2)
        assert result.games == 2 and "MCTSBot" in str(result)
    wrapped = openspiel.game("connect_four")
    result = spinney.match(wrapped, "mcts(sims=100)", openspiel.Player(make, "connect_four"), games=2)
    assert result.games == 2
    assert spinney.match("openspiel(game=tic_tac_toe)", "mcts(sims=30)", "random", games=4).games == 4


def test_its_bots_are_not_asked_after_their_end():
    """OpenSpiel's Checkers is drawn after forty moves of kings; ours goes on a while."""
    dice = random.Random(4)

    class Careless(pyspiel.Bot):
        def step(self, state):
            return dice.choice(state.legal_actions())

        def restart(self):
            pass

    player = openspiel.Player(lambda spiel: Careless(), "checkers")
    state = spinney.game("checkers").state()
    while not state.is_over and player.outcome(state) is None:
        state.play(dice.choice(state.legal_moves()))
    if not state.is_over:
        with pytest.raises(ValueError, match="the game is over"):
            player.choose(state)
    result = spinney.match("checkers", "random", player, games=6, seed=2)
    assert result.games == 6
