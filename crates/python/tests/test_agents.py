"""Agents: the same moves as on the command line, and what they think."""

import json
import signal
import subprocess
import sys
import time

import pytest
import spinney

GAME = "breakthrough(rows=6, columns=6)"


def test_the_same_seed_gives_the_same_thoughts_as_the_command_line(spinney_command):
    for game in (GAME, "havannah(size=4)", "checkers"):
        line = json.loads(spinney_command("analyse", game, "--agent", "mcts(sims=500)", "--seed", "9", "--json"))
        analysis = spinney.agent("mcts(sims=500)").analyse(spinney.game(game).state(), seed=9)
        assert analysis.best == line["best"] == spinney.agent("mcts(sims=500)").choose(spinney.game(game).state(), seed=9)
        theirs = [(one["move"], one["visits"], one["variation"]) for one in line["candidates"]]
        assert [(one.move, one.visits, one.variation) for one in analysis] == theirs
        assert analysis.agent == line["agent"] and analysis.nodes == line["nodes"]


def test_an_analysis_is_a_sequence_and_a_data_frame():
    analysis = spinney.agent("mcts(sims=300)").analyse(spinney.game(GAME).state(), seed=1)
    assert analysis[0].move == analysis.candidates[0].move and len(analysis) == len(list(analysis))
    assert sum(one.visits for one in analysis) == analysis.simulations == 300
    frame = analysis.to_pandas()
    assert frame["visits"].sum() == 300 and frame["move"][0] == analysis[0].move
    assert analysis.to_polars()["visits"].sum() == 300
    visits, candidates = analysis.look([analysis[0].move])
    assert visits == analysis[0].visits and candidates[0].move == analysis[0].variation[1]
    assert analysis.look(analysis[-1].variation[:1] + ["a5-a4", "a2-a3", "b5-b4", "b2-b3"]) is None, "beyond the tree"
    with pytest.raises(spinney.InputError, match="illegal move"):
        analysis.look(["a1-a8"])
    html = analysis._repr_html_()
    assert html.count("<tr>") == 13 and "fill-opacity:" in html and "simulations" in str(analysis)
    assert 0.99 < sum(analysis.heat().values()) / 2 < 1.01, "two cells a move"


def test_limits_replace_the_agents_own():
    state = spinney.game(GAME).state()
    agent = spinney.agent("mcts(sims=10)")
    assert agent.analyse(state, sims=77).simulations == 77
    assert agent.analyse(state, nodes=100).nodes >= 100
    assert spinney.agent("mcts").analyse(state, time=0.05).seconds < 5
    with pytest.raises(spinney.InputError):
        agent.analyse(state, time=-1)


def test_what_an_update_raises_ends_the_search():
    def tell(analysis):
        assert len(analysis) > 0
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        spinney.agent("mcts").analyse(spinney.game(GAME).state(), time=60, on_update=tell, interval=0.01)


def test_other_threads_run_while_a_search_thinks():
    import threading

    counted = 0

    def count():
        nonlocal counted
        while not done:
            counted += 1
            time.sleep(0.001)

    done = False
    thread = threading.Thread(target=count)
    thread.start()
    spinney.agent("mcts").analyse(spinney.game(GAME).state(), time=0.5)
    done = True
    thread.join()
    assert counted > 20


@pytest.mark.parametrize(
    "work",
    [
        "spinney.agent('mcts').analyse(spinney.game('breakthrough').state(), time=60)",
        "spinney.match('breakthrough', 'mcts(sims=100000)', 'mcts(sims=100000)', games=1000)",
        "spinney.game('amazons').state().perft(9)",
    ],
)
def test_ctrl_c_ends_a_search_soon(work):
    code = (
        "import spinney, time, sys\n"
        "print('begun', flush=True)\n"
        f"try:\n    {work}\n"
        "except KeyboardInterrupt:\n    print(time.time(), flush=True)\n    import os; os._exit(0)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.5)
    asked = time.time()
    process.send_signal(signal.SIGINT)
    ended = float(process.communicate(timeout=30)[0])
    # A tenth of a second is promised; a busy machine gets more.
    assert ended - asked < 2.0
    print(f"Ctrl-C took {1e3 * (ended - asked):.0f} ms")


def test_a_whole_game_is_that_of_the_library():
    one = spinney.play_game(GAME, "mcts(sims=50)", "random", seed=5)
    assert one.moves == spinney.play_game(spinney.game(GAME), "mcts(sims=50)", "random", seed=5).moves
    assert one.outcome in (1, 2) and one.simulations[0] > 0
    state = spinney.game(GAME).state(moves=one.moves)
    assert state.is_over and state.outcome == one.outcome


def test_a_state_that_is_over_is_not_thought_about():
    state = spinney.game("tic-tac-toe").state(moves=["a1", "b1", "a2", "b2", "a3"])
    with pytest.raises(spinney.InputError, match="the game is over"):
        spinney.agent("mcts").choose(state)
    with pytest.raises(spinney.InputError, match="chance"):
        spinney.agent("mcts").choose(spinney.game("pig").state().play("roll"))
