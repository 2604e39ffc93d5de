"""Games and ideas that are written in Python."""

import pickle
import sys
import time
import urllib.request

import pytest
import spinney
from conftest import ROOT
from games_for_tests import Coin, DiceRace, Nim, NimInPlace

sys.path.insert(0, str(ROOT / "examples" / "python"))
from breakthrough import Breakthrough  # noqa: E402

AGENTS = [info.name for info in spinney.agents()]


@pytest.mark.parametrize("game", [Nim(), NimInPlace(), Coin(), DiceRace(), Breakthrough(5, 5)])
def test_own_games_conform(game):
    game.check(games=10)


def test_every_agent_plays_an_own_game():
    played = []
    for game in (Nim(9), Coin(), DiceRace(), Breakthrough(5, 5)):
        state = game.state()
        for name in AGENTS:
            try:
                move = spinney.agent(name).choose(state, seed=2, sims=60)
            except spinney.InputError as error:
                assert error.kind == "unsupported", error
                continue
            assert move in state.legal_moves()
            played.append((game.name, name))
    assert {name for _, name in played} >= {"mcts", "random", "flat", "alphabeta"}
    enhanced = "mcts(sims=80, playout=policy+mast+lgr, solver=draws, reuse, rb, qb, history=1)"
    assert spinney.agent(enhanced).choose(Breakthrough().state()) in Breakthrough().state().legal_moves()


def test_searches_find_what_is_best():
    # A multiple of three is left to the other.
    for left, best in ((7, "1"), (8, "2"), (5, "2")):
        for game in (Nim(left), NimInPlace(left)):
            assert spinney.agent("mcts(sims=400)").choose(game.state()) == best
            assert spinney.agent("mcts(sims=400)").analyse(game.state()).proven == "win"
    assert spinney.agent("mcts(sims=400)").choose(Coin().state()) == "2", "the likelier side, by its number"
    value, _, _ = Coin().state().solve()
    assert value == pytest.approx(1.5)


def test_python_rules_are_those_of_ours():
    ours, own = spinney.game("breakthrough(rows=6, columns=6)").state(), Breakthrough().state()
    for seed in range(60):
        assert own.position == ours.position
        assert sorted(own.legal_moves()) == sorted(ours.legal_moves())
        if ours.is_over:
            break
        move = spinney.agent("random").choose(ours, seed=seed)
        ours.play(move)
        own.play(move)
    assert (own.is_over, own.outcome) == (ours.is_over, ours.outcome) == (True, own.outcome)
    assert own.perft(3) if not own.is_over else True
    assert Breakthrough().state().perft(3) == spinney.game("breakthrough(rows=6, columns=6)").state().perft(3)


def test_own_states_are_copied_pickled_and_drawn():
    state = Breakthrough().state().play("a2-a3")
    other = pickle.loads(pickle.dumps(state))
    assert other == state and other.history == ["a2-a3"] and other.undo() == Breakthrough().state()
    assert "<svg" in state._repr_html_() and state.steps("a2-a3") == ["a2", "a3"]
    assert Nim().state()._repr_html_().count("<pre>") == 1
    assert state.game.rows == 6


def test_exceptions_of_a_game_come_out():
    class Broken(Nim):
        name = "broken"

        def moves(self, state):
            if state[0] < 5:
                raise RuntimeError("no idea")
            return super().moves(state)

    with pytest.raises(RuntimeError, match="no idea"):
        spinney.agent("mcts(sims=100)").choose(Broken().state())
    with pytest.raises(RuntimeError, match="no idea"):
        Broken().check()
    with pytest.raises(RuntimeError, match="no idea"):
        spinney.match(Broken(), "mcts(sims=5)", "random", games=4)
    with pytest.raises(RuntimeError, match="no idea"):
        Broken().state(moves=[0, 0, 0]).legal_moves()
    # After an exception all is as before.
    assert spinney.agent("mcts(sims=100)").choose(Nim().state()) == "1"


def test_games_that_contradict_themselves_are_found_out():
    class Twice(Nim):
        name = "twice"

        def moves(self, state):
            return [1, 1]

    class Forgetful(Nim):
        name = "forgetful"

        def apply(self, state, move):
            pass

    class Wrong(Nim):
        name = "wrong"

        def turn(self, state):
            return 17

    with pytest.raises(spinney.InputError, match="two moves are written alike"):
        Twice().check()
    with pytest.raises(spinney.InputError, match="returned None"):
        Forgetful().check()
    with pytest.raises(spinney.InputError, match="is no turn"):
        Wrong().state().to_move
    with pytest.raises(TypeError, match="does not write `apply`"):
        type("Half", (spinney.Game,), {"initial": lambda self: 0, "turn": lambda s, x: 1, "moves": lambda s, x: [0]})().state()


def test_matches_and_experiments_play_own_games(tmp_path):
    result = spinney.match(Nim(11), "mcts(sims=60)", "random", games=20, seed=4)
    assert result.games == 20 and result.score > 0.8
    assert spinney.match(Nim(11), "mcts(sims=60)", "random", games=20, seed=4).records().csv.split("ms_")[0]
    spinney.register(Nim)
    experiment = spinney.Experiment.from_dict(
        {
            "title": "Nim",
            "pairs": 6,
            "agents": {"few": {"sims": 2}, "many": {"sims": 50}},
            "match": [{"games": ["nim(matches=10)", "nim(matches=13)"], "a": ["many"], "b": ["few"]}],
        }
    )
    run = experiment.run(tmp_path / "run")
    assert run.played == 24 and run.verify(1.0)[:2] == (24, 24)
    units = experiment.units()
    spread = experiment.collect(map(spinney.play_unit, pickle.loads(pickle.dumps(units))), tmp_path / "spread")
    assert (tmp_path / "run/games-0-of-1.jsonl").read_bytes() == (tmp_path / "spread/games-0-of-1.jsonl").read_bytes()
    assert spread.missing == 0
    assert spinney.score(Coin(), "mcts(sims=40)", games=100)[0] == pytest.approx(1.5, abs=0.3)
    with pytest.raises(spinney.InputError, match="unexpected keyword"):
        spinney.game("nim(stones=3)")


def test_the_page_plays_an_own_game():
    code = (
        "import sys; sys.path.insert(0, %r)\n"
        "from games_for_tests import Nim\nimport spinney\nspinney.serve(Nim, port=0)" % str(ROOT / "crates/python/tests")
    )
    import json
    import subprocess

    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline().split()[1]
        about = json.load(urllib.request.urlopen(f"{address}/api/about"))
        assert any(game["name"] == "nim" for game in about["games"])
        place = json.dumps({"game": "nim(matches=5)", "moves": ["1"]}).encode()
        request = urllib.request.Request(f"{address}/api/position", place, {"Content-Type": "application/json"})
        view = json.load(urllib.request.urlopen(request))
        assert view["position"] == "(4, 2)" and [one["move"] for one in view["legal"]] == ["1", "2"]
    finally:
        process.send_signal(2)
        assert process.wait(timeout=20) == 0


def test_ideas_in_python_on_built_in_games():
    state = spinney.game("breakthrough(rows=5, columns=5)").state()
    seen = []

    def policy(shown):
        assert isinstance(shown, spinney.State)
        moves = shown.legal_moves()
        return [9.5 if "x" in move else 1 for move in moves]

    def evaluation(shown):
        seen.append(shown.position)
        return (shown.position.count("w") - shown.position.count("b")) / 20

    def reward(value, winner, length, quality):
        return value * (1 - length / 1000)

    plain = spinney.agent("mcts(sims=200, playout=policy)").analyse(state, seed=1)
    agent = spinney.agent("mcts(sims=200, playout=policy)", policy=policy)
    assert [one.visits for one in agent.analyse(state, seed=1)] != [one.visits for one in plain]
    assert agent.choose(state, seed=1) == agent.choose(state, seed=1)
    agent = spinney.agent("mcts(sims=50, playout=policy+cutoff(plies=0))", evaluation=evaluation)
    analysis = agent.analyse(state, seed=1)
    assert len(seen) >= 40 and abs(analysis[0].mean) < 0.3
    shaped = spinney.agent("mcts(sims=200)", reward=reward).analyse(state, seed=1)
    assert all(abs(one.mean) < 1 for one in shaped if not one.proven)
    for wrong in (lambda s: [1.0], lambda s: [0] * len(s.legal_moves()), lambda s: 1 / 0):
        with pytest.raises((spinney.InputError, ZeroDivisionError)):
            spinney.agent("mcts(sims=20, playout=policy)", policy=wrong).choose(state)
    with pytest.raises(spinney.InputError, match="from -1 to 1"):
        spinney.agent("mcts(sims=20, playout=policy+cutoff(plies=0))", evaluation=lambda s: 3).choose(state)
    match = spinney.match("tic-tac-toe", spinney.agent("mcts(sims=30)", reward=reward), "random", games=6)
    assert match.games == 6 and match.score > 0.5


def test_without_ideas_the_search_behind_the_border_is_ours():
    """The border changes nothing: a function that agrees with the game's own policy gives the same search."""
    for game in ("havannah(size=4)", "breakthrough(rows=5, columns=5)", "tic-tac-toe"):
        state = spinney.game(game).state()
        even = spinney.agent("mcts(sims=300, playout=uniform)", reward=lambda r, *_: r).analyse(state, seed=3)
        ours = spinney.agent("mcts(sims=300, playout=uniform)").analyse(state, seed=3)
        assert len(even) == len(ours) and even.simulations == ours.simulations


def test_ctrl_c_ends_a_search_of_an_own_game():
    import signal
    import subprocess

    code = (
        "import sys; sys.path[:0] = [%r]\nfrom breakthrough import Breakthrough\nimport spinney, time\n"
        "print('begun', flush=True)\ntry:\n    spinney.agent('mcts').analyse(Breakthrough().state(), time=60)\n"
        "except KeyboardInterrupt:\n    print(time.time())" % str(ROOT / "examples/python")
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    time.sleep(0.5)
    asked = time.time()
    process.send_signal(signal.SIGINT)
    assert float(process.communicate(timeout=20)[0]) - asked < 2


