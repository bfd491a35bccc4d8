"""The game for one learning agent: `Ten18-v0` of Gymnasium."""

from copy import copy
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
from gymnasium import Env, spaces
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from tentimes18.coach.advice import advise
from tentimes18.coach.aims import Aim, Chance, Mean
from tentimes18.envs import arguments
from tentimes18.envs.arguments import DiceLike, Reward, SlotsLike
from tentimes18.envs.decisions import Decisions, decisions_of, rules_of
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, Position
from tentimes18.number_format import shown_number, shown_roll, times
from tentimes18.simulate.drawing import draw
from tentimes18.simulate.run import Run
from tentimes18.solve.lattice import lattice_of

Observation = NDArray[np.float32]
RENDER_MODES = ("ansi", "rgb_array")
GAMES_AHEAD = 64  # drawn at once
MAX_BAR = 24  # characters
FILLED, WAITING = "█", "░"


class MeasuredEnv(Env[Any, Any]):
    """An environment whose spec says how many steps an episode takes at most, as `TimeAwareObservation` asks for it."""

    max_steps: int | None = None
    _spec: EnvSpec | None = None

    @property
    def spec(self) -> EnvSpec | None:
        """How Gymnasium made this environment."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        if spec is not None and spec.max_episode_steps is None:
            spec = copy(spec)
            spec.max_episode_steps = self.max_steps
        self._spec = spec


class Ten18Env(MeasuredEnv):
    """Rolls come one by one. Each must be placed in a free slot at once, where it scores roll × multiplier points.

    The page docs/reference/environments.md describes the arguments and `info`. An action is a slot, from 0, by
    increasing multiplier. The observation has n + 1 numbers from 0 to 1, and one more for a target:

    | Index | Observation |
    | --- | --- |
    | 0 to n - 1 | 1 where the slot is free |
    | n | the roll to place, from the least one of the dice to the greatest; 0 when the game is over |
    | n + 1 | the points so far, from the least score of the game to the greatest (targets only) |

    The game ends when all slots are filled, or by an illegal action. Return = `optimal_value` + sum of `luck` (with
    that of `reset`) - sum of `regret`, in every single game. These are float64; `unwrapped.exact_regret`, `exact_luck`
    and `exact_optimal_value` are the same as Fractions, and with them the equation holds exactly.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012 (so in every Env)

    def __init__(
        self,
        dice: DiceLike = "3d6",
        slots: SlotsLike = "1-10",
        aim: str = "mean",
        reward: Reward = "aim",
        render_mode: str | None = None,
        hints: bool = True,
    ) -> None:
        arguments.verify_choice(reward, arguments.REWARDS, "reward")
        arguments.verify_choice(render_mode, (None, *RENDER_MODES), "render_mode")
        self.game: Game = arguments.game_of(dice, slots)
        self.target = arguments.target_of(aim)
        self.decisions: Decisions = decisions_of(self.game, self.target)
        self.render_mode = render_mode
        self.max_steps = self.game.size
        self.action_space = spaces.Discrete(self.game.size)
        self.observation_space = spaces.Box(0.0, 1.0, (self.game.size + 1 + (self.target is not None),), np.float32)
        self._by_regret = reward == "regret"
        self._hints = hints
        rules = rules_of(self.game, by_regret=self._by_regret)
        self._shifts, self._width = lattice_of(self.game).shifts, rules.width
        self._points, self._scaled = rules.points.tolist(), rules.scaled.tolist()
        self._seed: int | None = None
        self._episode = 0
        self._drawn: list[list[int]] = []
        self._placements: list[tuple[int, int]] = []
        self._places: list[int] = []
        self._free = self._made = self._place = 0
        self._mask = np.zeros(self.game.size, dtype=np.int8)
        self._is_over = True

    @property
    def optimal_value(self) -> float:
        """The expected return of the best play, with the reward of the aim."""
        return self.decisions.optimal

    @property
    def exact_optimal_value(self) -> Fraction:
        """The same as a Fraction; raises ``Ten18Error`` where chances are known in float64 only."""
        return _fraction(self._aim.worth(Position(Board(self.game))))

    @property
    def exact_regret(self) -> Fraction:
        """The regret of the last action as a Fraction: the loss of that move in a review; 0 after `reset`."""
        self._verify_begun()
        if self._is_over and self._free:  # by an illegal action
            board = self.board
            best = _fraction(advise(board, self.game.dice.support[self._place], self._aim).moves[0].worth)
            if self.target is not None:
                return best
            lows = lattice_of(self.game).lows
            return best - board.score - min(Fraction(0), sum(Fraction(lows[slot - 1]) for slot in board.free_slots))
        if not self._placements:
            return Fraction(0)
        roll, slot = self._placements[-1]
        board = Board.replay(self.game, self._placements[:-1])
        return _fraction(advise(board, roll, self._aim).move(slot).loss)

    @property
    def exact_luck(self) -> Fraction:
        """The luck of the roll to place as a Fraction; 0 when the game is over."""
        self._verify_begun()
        board, roll = self.board, self.roll
        if roll is None:
            return Fraction(0)
        best = advise(board, roll, self._aim).moves[0].worth
        return _fraction(best) - _fraction(self._aim.worth(Position(board)))

    @property
    def _aim(self) -> Aim:
        return Mean() if self.target is None else Chance(self.game, self.target)

    @property
    def board(self) -> Board:
        """The board, for strategies, reviews and records."""
        return Board.replay(self.game, self._placements)

    @property
    def roll(self) -> int | None:
        return None if self._is_over else self.game.dice.support[self._place]

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are allowed, as MaskablePPO asks for it."""
        return self._mask.astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start the next game of the seed, or the first one of this one."""
        super().reset(seed=seed)
        choices = arguments.options_in(options, "{'rolls': [...]}")
        rolls = choices.pop("rolls", None)
        if choices:
            raise Ten18Error("accepted: {'rolls': [...]}", "options", options)
        if seed is None and self._seed is None:  # the seed of Gymnasium's generator, or one that it draws
            known = self.np_random_seed
            seed = int(self.np_random.integers(1 << 63)) if known is None or known < 0 else known
        if seed is not None:
            self._seed, self._episode, self._drawn = seed, 0, []
        self._places = self._next_places() if rolls is None else arguments.places_of(self.game, rolls)
        self._placements = []
        self._free, self._made, self._is_over = self.game.all_free, 0, False
        self._mask = np.ones(self.game.size, dtype=np.int8)
        self._observation = np.ones(self.observation_space.shape or (), dtype=np.float32)
        return self._shown()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self._is_over:
            raise ResetNeeded("no game is in play; reset() starts the next one")
        slot, place = arguments.action_of(action), self._place
        is_illegal = slot < 0 or not self._free >> slot & 1
        if is_illegal:
            reward = self.decisions.illegal_reward(self._free)
            regret = self.decisions.value(self._free, self._made) + self._decision.luck - reward
            self._is_over = True
            self._mask[:] = 0
        else:
            regret = self._decision.losses[slot]
            self._placements.append((self.game.dice.support[place], slot + 1))
            self._free ^= 1 << slot
            self._mask[slot] = 0
            self._observation[slot] = 0.0
            self._is_over = not self._free
            if self.target is None:
                reward = self._points[slot][place]
            else:
                self._made += self._shifts[slot][place]
                reward = self.decisions.value(0, self._made) if self._is_over else 0.0
        observation, info = self._shown(regret, is_illegal)
        return observation, 0.0 - regret if self._by_regret else reward, self._is_over, False, info

    def render(self) -> str | NDArray[np.uint8] | None:
        if self.render_mode is None:
            return None
        return draw_frame(self.render_mode, self.board, self.roll)

    def _shown(self, regret: float = 0.0, is_illegal: bool = False) -> tuple[Observation, dict[str, Any]]:
        size, best, luck, roll, scaled = self.game.size, -1, 0.0, 0, 0.0
        if not self._is_over:
            self._place = place = self._places[len(self._placements)]
            self._decision = self.decisions.decision(self._free, self._made, place)
            best, luck, _ = self._decision
            roll, scaled = self.game.dice.support[place], self._scaled[place]
        self._observation[size] = scaled
        if self.target is not None:
            self._observation[size + 1] = self._made / self._width
        info = {
            "action_mask": self._mask.copy(),
            "best_action": best,
            "illegal": is_illegal,
            "luck": luck,
            "regret": regret,
            "roll": roll,
        }
        return self._observation.copy(), arguments.shown_info(info, hints=self._hints)

    def _verify_begun(self) -> None:
        if not self._places:
            raise ResetNeeded("reset() starts the first game")

    def _next_places(self) -> list[int]:
        """The places of the next game's rolls in the support; games are drawn ahead, few of them at first."""
        if not self._drawn:
            assert self._seed is not None
            games = min(self._episode + 1, GAMES_AHEAD)
            self._drawn = draw(Run(self.game, (), self._seed), self._episode, games).T[::-1].tolist()
        self._episode += 1
        return self._drawn.pop()


def _fraction(value: Fraction | float) -> Fraction:
    if isinstance(value, Fraction):
        return value
    raise Ten18Error("the chances of this game do not fit into exact numbers: regrets are known in float64 only", "aim")


def draw_frame(mode: str | None, board: Board, roll: int | None = None) -> str | NDArray[np.uint8]:
    """The board as text (`ansi`) or as a picture (`rgb_array`); ``roll`` is the one to place."""
    return board_text(board, roll) if mode == "ansi" else np.asarray(pictures().draw_board(board, roll))


def pictures() -> ModuleType:
    try:
        from tentimes18.pictures import board
    except ImportError:
        raise Ten18Error("pictures of boards need Pillow: pip install 'tentimes18[rl]'", "render_mode") from None
    return board


def board_text(board: Board, roll: int | None = None) -> str:
    """A heading, then a line per slot: a bar as long as its roll, or in a free slot the roll to place."""
    game = board.game
    greatest = max(map(abs, game.dice.support)) or 1
    columns = min(greatest, MAX_BAR)
    width = max(len(times(multiplier)) for multiplier in game.multipliers)
    round_ = f"round {min(board.rounds + 1, game.size)} of {game.size}"
    heading = [str(game), round_, f"score {shown_number(board.score)}"]
    if roll is not None:
        heading.append(f"roll {shown_roll(roll)}")
    lines = ["  ".join(heading)]
    for slot, multiplier in enumerate(game.multipliers, start=1):
        placed = board[slot]
        shown = roll if placed is None else placed
        length = max(1, round(abs(shown) / greatest * columns)) if shown else 0
        bar = (WAITING if placed is None else FILLED) * length
        line = f"{times(multiplier):>{width}} │{bar:<{columns}}│"
        if placed is not None:
            line += f" {shown_roll(placed)} = {shown_number(multiplier * placed)}"
        lines.append(line)
    return "\n".join(lines)
