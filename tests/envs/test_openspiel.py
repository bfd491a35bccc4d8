"""The duel for OpenSpiel: its own checks, and what its algorithms make of our solver."""

from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms import policy_utils

from tentimes18.duel.equilibrium import solve_equilibrium
from tentimes18.envs.duel_view import DuelView
from tentimes18.envs.exploitability import exploitability
from tentimes18.envs.openspiel import NAME, EquilibriumPolicy
from tentimes18.game import Game


def loaded(dice: str, slots: str, draw: float = 0.5) -> Any:
    return pyspiel.load_game(NAME, {"dice": dice, "slots": slots, "draw": draw})


@pytest.mark.parametrize(
    ("dice", "slots", "draw"),
    [("1d6", "1-3", 0.5), ("d{1,2,5}:5=2", "-1,1/2,3", 0.75), ("3d6", "1-10", 0.5), ("1d2", "5", 0.0)],
)
def test_random_games_pass_the_checks_of_openspiel(dice: str, slots: str, draw: float) -> None:
    """Among them that game and state are written as text and read again."""
    pyspiel.random_sim_test(loaded(dice, slots, draw), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize(
    ("text", "dice", "slots"),
    [
        ("dice=1d6,slots=1-3;", "1d6", "1-3"),
        ("dice=d{1;2;5},slots=1;3;5", "d{1,2,5}", "1,3,5"),
        ("dice=2d4:4~2,slots=5;", "2d4:4=2", "5"),
        ("", "3d6", "1-10"),
    ],
)
def test_a_game_as_a_text(text: str, dice: str, slots: str) -> None:
    game = pyspiel.load_game(f"{NAME}({text})")
    assert str(game) == str(loaded(dice, slots)) == str(pyspiel.load_game(str(game)))
    assert game.num_distinct_actions() == Game.parse(dice, slots).size
    assert game.max_chance_outcomes() == len(Game.parse(dice, slots).dice.support)


def test_a_game_round_by_round() -> None:
    state = loaded("d{1,4}", "1-2", 0.75).new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    state.apply_action(1)
    assert state.is_simultaneous_node()
    assert state.action_to_string(0, 1) == "#2"
    assert [state.legal_actions(player) for player in (0, 1)] == [[0, 1], [0, 1]]
    state.apply_actions([0, 1])
    assert state.returns() == [0.0, 0.0]
    state.apply_action(0)
    assert [state.legal_actions(player) for player in (0, 1)] == [[1], [0]]
    assert state.observation_string(1) == "p1 -,4 4,- roll 1"
    assert state.information_state_string(1) == "p1 4@2/1 roll 1"
    state.apply_actions([1, 0])
    assert state.is_terminal()
    assert state.returns() == [-1.0, 1.0]
    drawn = loaded("d{1,4}", "1-2", 0.75).new_initial_state()
    for action in (1, [0, 0], 0, [1, 1]):
        drawn.apply_actions(action) if isinstance(action, list) else drawn.apply_action(action)
    assert drawn.returns() == [0.5, -0.5]


def test_tensors_tell_states_apart() -> None:
    game = loaded("d{1,4}", "1-2")
    seen: dict[str, dict[str, list[float]]] = {"observation": {}, "information": {}}

    def walk(state: Any) -> None:
        if state.is_terminal():
            return
        for outcome, _ in state.chance_outcomes():
            rolled = state.child(outcome)
            for player in (0, 1):
                seen["observation"][rolled.observation_string(player)] = rolled.observation_tensor(player)
                seen["information"][rolled.information_state_string(player)] = rolled.information_state_tensor(player)
            for first in rolled.legal_actions(0):
                for second in rolled.legal_actions(1):
                    placed = rolled.clone()
                    placed.apply_actions([first, second])
                    walk(placed)

    walk(game.new_initial_state())
    for kind, count in (("observation", 2 * (2 + 2 * 4 * 2)), ("information", 2 * (2 + 2 * 4 * 2))):
        tensors = {tuple(tensor) for tensor in seen[kind].values()}
        assert len(tensors) == len(seen[kind]) == count


def best_responses(game: Any, policy: dict[str, Any]) -> list[float]:
    """What OpenSpiel's best response makes in either seat."""
    start = game.new_initial_state()
    return [pyspiel.TabularBestResponse(game, seat, policy).value_from_state(start) for seat in (0, 1)]


# Games with mixed moves; in the second the value is no draw.
@pytest.mark.parametrize(("dice", "slots", "draw"), [("d{1,4,16}", "1,2,5", 0.5), ("d{1,3,4}", "1,2,4", 0.25)])
def test_openspiel_finds_our_equilibrium_unexploitable(dice: str, slots: str, draw: float) -> None:
    """Its best responses bound the value of the game from both sides: here both bounds are our value."""
    game = pyspiel.convert_to_turn_based(loaded(dice, slots, draw))
    policy = EquilibriumPolicy(game)
    table = policy_utils.policy_to_dict(policy, game)
    assert any(0 < share < 1 for moves in table.values() for _, share in moves)
    tree = pyspiel.convert_to_cached_tree(game)
    assert pyspiel.nash_conv(tree, table) == pytest.approx(0, rel=0, abs=1e-12)
    first, second = best_responses(tree, table)
    assert first == pytest.approx(policy.equilibrium.start, rel=0, abs=1e-12)
    assert second == pytest.approx(-policy.equilibrium.start, rel=0, abs=1e-12)


@pytest.mark.parametrize("draw", [0.5, 0.8])
def test_openspiel_exploits_the_uniform_policy_as_we_do(draw: float) -> None:
    tree = pyspiel.convert_to_cached_tree(pyspiel.convert_to_turn_based(loaded("1d2", "1-3", draw)))
    theirs = pyspiel.exploitability(tree, pyspiel.UniformRandomPolicy(tree))
    ours = exploitability(DuelView(Game.parse("1d2", "1-3"), draw), "random")
    assert theirs == pytest.approx(ours.value, rel=0, abs=1e-12)


def test_a_policy_of_the_simultaneous_game() -> None:
    game = loaded("1d4", "1-3")
    state = game.new_initial_state()
    state.apply_action(3)
    state.apply_actions([2, 0])
    state.apply_action(1)
    table = solve_equilibrium(Game.parse("1d4", "1-3"))
    wanted = table.moves(0b110, 0b011, -8, 2)
    found = EquilibriumPolicy(game).action_probabilities(state, 1)
    assert {slot + 1: share for slot, share in found.items() if share} == wanted
    assert list(found) == [1, 2]
