"""Searches whose leaves are judged many at once."""

import pytest
import spinney
from games_for_tests import DiceRace, Nim

GAME = spinney.game("breakthrough(rows=5, columns=5)")


def even(states, ids):
    return [0.0] * len(states), None


def test_leaves_are_judged_in_batches():
    sizes = []

    def network(states, ids):
        sizes.append(len(states))
        assert all(len(own) == len(state.legal_moves()) for state, own in zip(states, ids))
        return [0.0] * len(states), None

    found = spinney.NetworkAgent(network, sims=256, leaves=16).search([GAME.state()] * 4, seed=1)
    assert all(sum(one.visits for one in own.moves) == 255 for own in found), "all but that of the root"
    assert max(sizes) == 64 and sum(sizes) / len(sizes) > 20
    assert [one.move for one in found[0].moves] == GAME.state().legal_moves()


def test_a_win_is_found_and_values_have_the_right_sign():
    for position, best in (("...../w..../...../..b../www.. 1", "a4-"), ("bbb../..w../...../b..../..... 2", "a2-")):
        state = GAME.state(position)
        found = spinney.NetworkAgent(even, sims=300, leaves=4).search([state], seed=1)[0]
        assert found.best.startswith(best), found
        assert (found.value > 0.5) == (state.to_move == 1) and max(one.mean for one in found.moves) > 0.9


def test_priors_lead_the_search():
    state = GAME.state()

    def network(states, ids):
        return [0.0] * len(states), [[100.0 if number == 2 else 1.0 for number in range(len(own))] for own in ids]

    assert spinney.NetworkAgent(network, sims=60).choose(state) == state.legal_moves()[2]


def test_own_games_and_games_of_chance_are_searched():
    assert spinney.NetworkAgent(even, sims=300, leaves=2).choose(Nim(7).state()) == "1"
    assert spinney.NetworkAgent(even, sims=300, leaves=4).choose(DiceRace().state()) == "2", "to throw is better"
    race = spinney.game("pig-race").state()
    assert spinney.NetworkAgent(even, sims=100).choose(race) == "roll"
    with pytest.raises(spinney.InputError, match="one player"):
        spinney.NetworkAgent(even).choose(spinney.game("pig").state())


def test_what_a_network_does_wrong_is_said():
    state = GAME.state()
    for wrong in (
        lambda states, ids: ([0.0], None),
        lambda states, ids: ([2.0] * len(states), None),
        lambda states, ids: ([0.0] * len(states), [[1.0]] * len(states)),
        lambda states, ids: 1 / 0,
    ):
        with pytest.raises((spinney.InputError, ZeroDivisionError)):
            spinney.NetworkAgent(wrong, sims=50, leaves=4).search([state, state])


def test_the_same_seed_gives_the_same_search():
    agent = spinney.NetworkAgent(even, sims=100)
    assert agent.search([GAME.state()], seed=3) == agent.search([GAME.state()], seed=3)
    result = spinney.match(GAME, spinney.NetworkAgent(even, sims=40), "random", games=4)
    assert result.games == 4 and "network(sims=40" in str(result)


def test_the_example_learns():
    """A few rounds of the example make it better than it was."""
    numpy = pytest.importorskip("numpy", reason="NumPy is not installed")
    import sys

    from conftest import ROOT

    sys.path.insert(0, str(ROOT / "examples" / "python"))
    import network

    for kind in [network.ByHand] + ([network.ByTorch] if network.torch else []):
        told = []
        net = network.train(0.0005, games=24, sims=16, kind=kind, tell=told.append)
        assert told
        values, logits = net(network.inputs_of([network.GAME.state()]))
        assert numpy.isfinite(values).all() and numpy.isfinite(logits).all()
        losses = []
        for _ in range(60):
            states = [network.GAME.state(moves=[0] * count) for count in range(6)]
            inputs = network.inputs_of(states)
            targets = numpy.zeros((6, network.MOVES), numpy.float32)
            targets[:, 3] = 1
            legal = numpy.zeros((6, network.MOVES), bool)
            legal[:, :9] = True
            losses.append(net.learn(inputs, numpy.ones(6, numpy.float32), targets, legal))
        assert losses[-1] < 0.1 < losses[0]
