"""Positions: playing, comparing, copying, writing."""

import copy
import pickle

import pytest
import spinney

#: The games that come with spinney; other tests register games of their own.
STANDARD = [info.name for info in spinney.games() if info.source != "written in Python"]


def test_a_game_is_played_by_text_and_by_number():
    state = spinney.game("breakthrough(rows=6, columns=6)").state()
    number = state.legal_moves().index("a2-a3")
    by_text, by_number = state.copy().play("a2-a3"), state.copy().play(number)
    assert by_text == by_number and by_text != state
    assert by_text.position == "bbbbbb/bbbbbb/....../w...../.wwwww/wwwwww 2"
    assert (by_text.to_move, by_text.is_over, by_text.outcome, by_text.score) == (2, False, None, None)
    assert by_text.history == ["a2-a3"]
    assert by_text.undo() is by_text and by_text == state


def test_the_end_of_a_game_has_an_outcome():
    state = spinney.game("tic-tac-toe").state(moves=["a1", "b1", "a2", "b2", "a3"])
    assert (state.is_over, state.outcome, state.to_move, state.legal_moves()) == (True, 1, None, [])
    with pytest.raises(spinney.InputError, match="the game is over"):
        state.play(0)


def test_games_of_one_player_have_scores_and_chance():
    state = spinney.game("pig").state().play("roll")
    assert state.to_move == 0 and state.score == 0
    outcome = state.draw_outcome(seed=5)
    assert outcome == state.history[-1] and state.to_move != 0
    assert state.copy().draw_outcome() is None


def test_states_are_copied_compared_hashed_and_pickled():
    for name in STANDARD:
        state = spinney.game(name).state()
        for number in range(6):
            moves = state.legal_moves()
            if moves:
                state.play(moves[number % len(moves)])
        for other in (state.copy(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            assert other == state and hash(other) == hash(state), name
            assert other.history == state.history and other is not state
        other.undo()
        assert other != state or name == "dominion"
    assert state != "a text" and state == state


def test_positions_are_read_and_written():
    game = spinney.game("breakthrough")
    state = game.state("bb.../...../...../...../...ww 2")
    assert state.game_text == "breakthrough(rows=5, columns=5)"
    again = pickle.loads(pickle.dumps(state.play(0)))
    assert again == state and again.start == "bb.../...../...../...../...ww 2"
    assert str(state).count("\n") > 4 and "breakthrough" in repr(state)


def test_mistakes_have_place_problem_and_remedy():
    with pytest.raises(spinney.InputError) as caught:
        spinney.game("braekthrough")
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.place, error.remedy, error.kind) == ("game", "did you mean `breakthrough`?", "unknown")
    state = spinney.game("tic-tac-toe").state()
    for wrong in ("z9", 9, -1, 10**30):
        with pytest.raises((spinney.InputError, OverflowError)):
            state.play(wrong)
    with pytest.raises(TypeError):
        state.play(1.5)
    with pytest.raises(spinney.InputError, match="no move has been made"):
        state.undo()
    with pytest.raises(spinney.InputError, match="unknown option"):
        spinney.agent("mcts(simz=3)")


def test_what_the_command_line_counts_and_solves(spinney_command):
    state = spinney.game("breakthrough(rows=5, columns=5)").state()
    assert '"nodes":%d' % state.perft(3) in spinney_command("perft", state.game_text, "3", "--json")
    value, moves, positions = spinney.game("tic-tac-toe").state().solve()
    assert value == 0 and len(moves) == 9 and positions == 5478
    assert spinney.game("breakthrough").state().solve(most=10) is None
    games, plies, branching, wins = state.random_play(games=200)
    assert games == 200 and plies > 5 and branching > 3 and sum(wins) == pytest.approx(1)
    assert state.play_outs(0.01)[0] > 0
    state.check(games=2)


def test_rule_sheets_have_roles():
    state = spinney.game("gdl:tic-tac-toe").state()
    assert len(state.roles()) == 2 and state.roles()[0]["moves"]


def test_every_game_is_drawn():
    for name in STANDARD:
        state = spinney.game(name).state()
        html = state._repr_html_()
        assert ("<svg" in html) == bool(state.scene()["cells"]) and "</div>" in html
        scene = state.scene()
        assert html.count("<title>") == len(scene["cells"])


def test_published_parameters_and_limits():
    state = spinney.game("cannon").state()
    assert state.published() == ("c=0.8, playout=policy, rb(k=3), qb(k=4)", 2000)
    assert state.budget("mcts") == (2000, None, None, None)
    assert state.budget("mcts(time=0.5, nodes=9)") == (None, 0.5, None, 9)
    with pytest.raises(spinney.InputError):
        state.budget("mcts(sims=0)")
