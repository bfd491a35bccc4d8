"""`Ten18-v0`: the checkers of Gymnasium, returns, regrets against the coach's, seeds, masks, illegal actions."""

import pickle
import sys
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from tentimes18.assignment import Poisson, Problem, UniformDistribution
from tentimes18.coach.aims import aim_named
from tentimes18.coach.review import review
from tentimes18.dice import Dice
from tentimes18.envs import SOLVED_SHARE
from tentimes18.envs.arguments import game_of
from tentimes18.envs.ten18 import Ten18Env
from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.game import Game
from tentimes18.records.notation import parse_record
from tentimes18.simulate.drawing import drawn_rolls
from tentimes18.simulate.run import Run
from tests.support.environments import played_episode
from tests.support.process import finished

GAMES = [
    {"dice": "1d6", "slots": "1-4"},
    {"dice": "1d6-3", "slots": "-2,1/3,1/3,5"},
    {"dice": "d{5}", "slots": "1,1"},
    {"dice": "1d4", "slots": "1-3", "aim": "target:18"},
    {"dice": "1d4-2", "slots": "1/2,1/2,3", "aim": "target:5/2", "reward": "regret"},
    {"dice": "3d6", "slots": "1-10"},
    {"dice": "2d10", "slots": "1-40", "reward": "regret"},
]
EACH_GAME = pytest.mark.parametrize("options", GAMES, ids=lambda options: " ".join(options.values()))


def at_random(seed: int) -> Callable[[dict[str, Any]], int]:
    generator = np.random.default_rng(seed)
    return lambda info: int(generator.choice(np.flatnonzero(info["action_mask"])))


def best(info: dict[str, Any]) -> int:
    return int(info["best_action"])


@EACH_GAME
def test_gymnasium_checks_pass(options: dict[str, Any]) -> None:
    env = gym.make("tentimes18.envs:Ten18-v0", **options)
    check_env(env.unwrapped)
    played_episode(env, at_random(18), seed=18)  # through the wrappers, which look at every step


RECORDS = [
    ("1d4 1-3: 3@2 1@3 4@1", "mean"),
    ("3d6 1-10: 9@4 16@10 7@1 11@7 12@6 4@2 10@9 13@8 3@5 14@3", "mean"),  # thirds, and powers of 216
    ("1d6-3 -2,1/3,1/3,5: 3@1 -2@4 0@2 1@3", "mean"),
    ("2d12:12=2 0.1,2/7,3-5: 24@2 7@5 12@1 13@4 2@3", "mean"),
    ("1d4 1-3: 3@2 1@3 4@1", "target:18"),
    ("3d6 1-4: 9@4 16@1 7@3 11@2", "target:105"),
    ("1d4-2 1/2,1/2,3: 2@1 -1@3 0@2", "target:5/2"),
]


@pytest.mark.parametrize(("text", "aim"), RECORDS, ids=lambda given: str(given)[:18])
def test_regrets_of_a_recorded_game_add_up_exactly(text: str, aim: str) -> None:
    """The sum of exact regrets is the loss of the review, as a Fraction, and each in `info` is the rounded one."""
    record = parse_record(text)
    game = record.board.game
    env = Ten18Env(game.dice, game.multipliers, aim=aim)
    found = review(record, aim_named(game, aim))
    observation, info = env.reset(options={"rolls": [placement.roll for placement in record.board.placements]})
    assert env.exact_regret == 0
    regret, luck = Fraction(0), env.exact_luck
    for (_, slot), move in zip(record.board.placements, found.moves, strict=True):
        assert (env.exact_luck, env.observation_space.contains(observation)) == (move.luck, True)
        if aim == "mean":
            assert info["luck"] == float(move.luck)
        else:
            assert abs(info["luck"] - move.luck) <= 2.0**-49
        observation, *_, info = env.step(slot - 1)
        assert env.exact_regret == move.loss
        if aim == "mean":
            assert info["regret"] == float(move.loss)
        else:
            assert abs(info["regret"] - move.loss) <= 2.0**-49
            assert (info["regret"] == 0) == (move.loss == 0)
        regret, luck = regret + env.exact_regret, luck + env.exact_luck
    assert env.board == record.board
    assert regret == found.loss > 0
    assert luck == found.luck
    assert env.exact_optimal_value == found.start
    end = record.board.score if aim == "mean" else Fraction(found.end)
    assert env.exact_optimal_value + luck - regret == end


def test_regrets_on_many_slots_are_within_the_stated_rounding() -> None:
    env = Ten18Env("2d10", "0.1,1-39")
    choose = at_random(3)
    _, info = env.reset(seed=3)
    regrets = []
    for _ in range(6):
        *_, info = env.step(choose(info))
        regrets.append(env.exact_regret)
        assert abs(Fraction(info["regret"]) - regrets[-1]) <= regrets[-1] * 42 / 2**53
    assert sum(regrets) > 0


@pytest.mark.parametrize("aim", ["mean", "target:20"])
def test_an_illegal_action_has_an_exact_regret(aim: str) -> None:
    env = Ten18Env("1d6-1", "-1,2,5", aim=aim)
    with pytest.raises(gym.error.ResetNeeded):
        _ = env.exact_regret
    env.reset(options={"rolls": [3, 5, 1]})
    luck = env.exact_luck
    _, first, *_ = env.step(1)
    luck, regret = luck + env.exact_luck, env.exact_regret
    _, reward, *_, info = env.step(1)
    assert reward == (-5 if aim == "mean" else 0)  # a 5 in the slot of -1
    assert float(env.exact_regret) == pytest.approx(info["regret"], abs=1e-14)
    assert env.exact_luck == 0
    assert env.exact_optimal_value + luck - regret - env.exact_regret == Fraction(first) + Fraction(reward)


def test_games_with_float_chances_have_no_exact_regret() -> None:
    env = Ten18Env("d{0,1}:1=10000000000000000000000", "1-2", aim="target:2")
    env.reset(seed=1)
    env.step(0)
    with pytest.raises(Ten18Error, match="aim: the chances of this game do not fit into exact numbers"):
        _ = env.exact_regret


def test_a_seed_has_the_games_of_a_simulation() -> None:
    env = Ten18Env("1d6", "1-4")
    rolls = [[int(info["roll"]) for info in played_episode(env, best, seed=7).infos[:-1]]]
    rolls += [[int(info["roll"]) for info in played_episode(env, best).infos[:-1]] for _ in range(69)]
    assert rolls == drawn_rolls(Run(Game.parse("1d6", "1-4"), ("optimal",), seed=7), 0, 70)


def test_without_a_seed_games_differ_and_the_generator_of_gymnasium_says_which() -> None:
    one, two = Ten18Env(), Ten18Env()
    first = played_episode(one, best)
    assert played_episode(two, best).infos[0].keys() == first.infos[0].keys()
    again = played_episode(Ten18Env(), best, seed=one.np_random_seed)
    assert [info["roll"] for info in again.infos] == [info["roll"] for info in first.infos]
    one.np_random = np.random.default_rng(3)
    assert one.np_random_seed == -1
    played_episode(one, best)


def test_observations_tell_the_position() -> None:
    env = Ten18Env("1d6", "1-3", aim="target:12")
    observation, info = env.reset(options={"rolls": [6, 1, 3]})
    assert observation.tolist() == pytest.approx([1, 1, 1, 1.0, 0.0])
    assert info["roll"] == env.roll == 6
    observation, *_, info = env.step(2)
    assert observation.tolist() == pytest.approx([1, 1, 0, 0.0, 15 / 30])  # 15 above the least of slot 3, of 30 in all
    assert info["action_mask"].tolist() == [1, 1, 0]
    assert env.action_masks().tolist() == [True, True, False]
    assert env.action_masks().dtype == np.bool_
    env.step(0)
    observation, reward, terminated, truncated, info = env.step(np.int64(1))
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert observation.tolist() == pytest.approx([0, 0, 0, 0.0, 19 / 30])
    assert (info["roll"], info["best_action"], info["luck"]) == (0, -1, 0.0)
    assert env.roll is None
    assert env.board.score == 25


@pytest.mark.parametrize(
    "action", [0, 3, -1, 10**30, np.array([0]), "a", 1.0, np.float32(1), None, [1], np.array([1, 2]), np.nan], ids=repr
)
def test_an_illegal_action_ends_the_game(action: Any) -> None:
    env = Ten18Env("1d6-3", "1-3")
    env.reset(seed=1)
    *_, info = env.step(0)
    worth = env.decisions.value(6, 0) + info["luck"]
    observation, reward, terminated, truncated, info = env.step(action)
    assert (terminated, truncated, info["illegal"]) == (True, False, True)
    assert reward == -2 * 5  # the least roll, -2, in both free slots
    assert info["regret"] == pytest.approx(worth - reward)
    assert observation.tolist() == [0, 1, 1, 0]
    assert not info["action_mask"].any()
    with pytest.raises(gym.error.ResetNeeded):
        env.step(1)
    env.reset()
    assert not env.step(1)[-1]["illegal"]


def test_the_reward_of_regret() -> None:
    episode = played_episode(Ten18Env("1d6", "1-4", reward="regret"), at_random(5), seed=5)
    assert episode.rewards == [-info["regret"] for info in episode.infos[1:]]
    other = played_episode(Ten18Env("1d6", "1-4"), at_random(5), seed=5)
    assert [info["regret"] for info in other.infos] == [info["regret"] for info in episode.infos]


def test_returned_arrays_do_not_change() -> None:
    env = Ten18Env("1d6", "1-3")
    episode, again = (played_episode(env, best, seed=2) for _ in range(2))
    masks, other_masks = ([info["action_mask"] for info in each.infos] for each in (episode, again))
    pairs = zip(episode.observations + masks, again.observations + other_masks, strict=True)
    assert all(one.tolist() == two.tolist() and not np.shares_memory(one, two) for one, two in pairs)
    assert [int(mask.sum()) for mask in masks] == [3, 2, 1, 0]


@pytest.mark.parametrize("aim", ["mean", "target:20"])
@pytest.mark.parametrize("copy", [deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copied", "pickled"])
def test_a_copy_goes_on_with_the_game(copy: Callable[[Any], Any], aim: str) -> None:
    env = gym.make("tentimes18.envs:Ten18-v0", dice="1d6", slots="1-4", aim=aim)
    env.reset(seed=4)
    env.step(0)
    copied = copy(env)
    for action in (1, 2, 3):
        mine, theirs = env.step(action), copied.step(action)
        assert mine[0].tolist() == theirs[0].tolist()
        assert mine[1:4] == theirs[1:4]
        assert mine[4]["regret"] == theirs[4]["regret"]
    assert env.reset()[1]["roll"] == copied.reset()[1]["roll"]


def test_before_the_first_game_nothing_is_allowed() -> None:
    env = Ten18Env("1d6", "1-3")
    assert not env.action_masks().any()
    assert env.roll is None
    with pytest.raises(gym.error.ResetNeeded, match="no game is in play"):
        env.step(0)


def test_the_board_as_text() -> None:
    env = Ten18Env("1d6", "1-3", render_mode="ansi")
    env.reset(options={"rolls": [5, 2, 1]})
    env.step(2)
    assert env.render() == "1d6 1-3  round 2 of 3  score 15  roll 2\n×1 │░░    │\n×2 │░░    │\n×3 │█████ │ 5 = 15"
    assert Ten18Env("1d6", "1-3").render() is None


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"dice": "3x6"}, "dice"),
        ({"dice": 6}, "dice"),
        ({"slots": "a"}, "slots"),
        ({"slots": 3}, "slots"),
        ({"aim": "duel"}, "aim"),
        ({"aim": "target:x"}, "aim"),
        ({"aim": 700}, "aim"),
        ({"reward": "score"}, "reward"),
        ({"render_mode": "human"}, "render_mode"),
    ],
    ids=str,
)
def test_bad_arguments(options: dict[str, Any], field: str) -> None:
    with pytest.raises(Ten18Error) as caught:
        Ten18Env(**options)
    assert caught.value.field == field
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"rolls": [1, 2]}, "rolls"),
        ({"rolls": 5}, "rolls"),
        ({"rolls": "612"}, "rolls"),
        ({"rolls": [1, 2, 7]}, "roll"),
        ({"rolls": [1, 2, 3.0]}, "roll"),
        ({"rolls": [2, 3, True]}, "roll"),
        ({"dice": "1d6"}, "options"),
        ([1, 2, 3], "options"),
    ],
    ids=str,
)
def test_bad_options(options: Any, field: str) -> None:
    with pytest.raises(Ten18Error) as caught:
        Ten18Env("1d6", "1-3").reset(options=options)
    assert caught.value.field == field


@pytest.mark.parametrize("action", [1, np.int64(1), np.array(1), np.array([1])], ids=repr)
def test_an_action_is_an_integer_or_an_array_of_one(action: Any) -> None:
    env = Ten18Env("1d6", "1-3")
    env.reset(seed=1)
    assert not env.step(action)[-1]["illegal"]
    assert env.action_masks().tolist() == [True, False, True]


@pytest.mark.parametrize("name", ["Ten18-v0", "Assignment-v0"])
def test_without_hints_only_what_a_player_sees(name: str) -> None:
    env = gym.make(f"tentimes18.envs:{name}", hints=False)
    (observation, info), (expected, full) = env.reset(seed=1), gym.make(f"tentimes18.envs:{name}").reset(seed=1)
    assert observation.tolist() == expected.tolist()
    assert info.keys() == env.step(0)[-1].keys() == full.keys() - {"best_action", "luck", "regret"}


@pytest.mark.parametrize(
    ("name", "options", "steps"),
    [
        ("Ten18-v0", {"slots": "1-40"}, 40),
        ("Assignment-v0", {}, 10),
        ("Assignment-v0", {"problem": Problem(UniformDistribution(0, 1), 2, Poisson(1.0, 5.0))}, None),
    ],
)
def test_a_spec_has_the_length_of_an_episode(name: str, options: dict[str, Any], steps: int | None) -> None:
    env = gym.make(f"tentimes18.envs:{name}", **options)
    assert env.spec is not None
    assert env.spec.max_episode_steps == steps
    if steps:
        timed = gym.wrappers.TimeAwareObservation(env, flatten=True)
        assert timed.observation_space.contains(timed.reset(seed=1)[0])


def test_games_that_do_not_fit_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLarge, match="slots: "):
        Ten18Env("3d6", "1-40", aim="target:700")
    monkeypatch.setenv("TEN18_MEMORY", "100MB")
    with pytest.raises(TooLarge, match="every decision on 2,000 slots needs"):
        Ten18Env("3d6", "1-2000")


def test_the_package_loads_no_compiler() -> None:
    code = "import sys, tentimes18.envs; print(sorted({'numba', 'scipy', 'matplotlib'} & sys.modules.keys()))"
    assert finished((sys.executable, "-c", code)).stdout.decode().strip() == "[]"


def test_without_gymnasium_one_line_says_what_to_install() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; import tentimes18.envs"
    told = finished((sys.executable, "-c", code)).stderr.decode().splitlines()
    assert told[-1].endswith("environments need gymnasium: pip install 'tentimes18[rl]'")


def test_the_classic_game_is_solved_near_its_best_play() -> None:
    spec = gym.spec("Ten18-v0")
    optimal, random = 642.2393504256153, 577.5  # tests/solve has the first; 10.5 × 55
    assert spec.reward_threshold == pytest.approx(random + SOLVED_SHARE * (optimal - random))
    assert gym.make("tentimes18.envs:Assignment-v0").spec is not None


def test_a_game_in_notation_or_as_it_is() -> None:
    game = Game.parse("2d6", "1/2,3,5")
    assert game_of("2d6", "5,3,0.5") == game
    assert game_of(Dice.parse("2d6"), [3, Fraction(1, 2), 5.0]) == game
    assert game_of("2d6", np.array([3, 0.5, 5], dtype=np.float32)) == game
    assert game_of("1d6", np.arange(1, 4)) == Game.parse("1d6", "1-3")
    for slots in ([True, 2], ["1"], [[1, 2]], [np.nan], np.ones((2, 2))):
        with pytest.raises(Ten18Error, match=r"slots: multiplier .* is not a number"):
            game_of("1d6", slots)  # type: ignore[arg-type]
