"""What importing the room does: it is light, tells Gymnasium of the environments, and says what is missing."""

import sys

import gymnasium as gym
import pytest

import tentimes18.envs as room
from tests.support.process import finished


def test_the_room_loads_no_compiler() -> None:
    code = "import sys, tentimes18.envs; print(sorted({'numba', 'scipy', 'matplotlib'} & sys.modules.keys()))"
    assert finished((sys.executable, "-c", code)).stdout.decode().strip() == "[]"


def test_without_gymnasium_one_line_says_what_to_install() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; import tentimes18.envs"
    told = finished((sys.executable, "-c", code)).stderr.decode().splitlines()
    assert told[-1].endswith("environments need gymnasium: pip install 'tentimes18[rl]'")


def test_the_classic_game_is_solved_near_its_best_play() -> None:
    spec = gym.spec("Ten18-v0")
    optimal, random = 642.2393504256153, 577.5  # tests/solve has the first; 10.5 × 55
    assert spec.reward_threshold == pytest.approx(random + room.SOLVED_SHARE * (optimal - random))
    assert gym.make("tentimes18.envs:Assignment-v0").spec is not None
