"""The duel for OpenSpiel: importing this module registers `python_ten18_duel`.

>>> import pyspiel
>>> import tentimes18.envs.openspiel
>>> game = pyspiel.load_game("python_ten18_duel(dice=1d6,slots=1-3;)")
>>> state = game.new_initial_state()
>>> state.apply_action(5)  # the last roll of the dice
>>> state.apply_actions([2, 1])  # both place it, each in a slot of its own, counted from 0
>>> print(state)
-,-,6 -,6,- roll -

A roll is a chance node, then both players move at the same time. The higher score gets 1, the lower one -1; a draw
brings the first player 2 draw - 1 and the second the opposite: rewards sum to 0. Players see everything but the move of
the opponent in the same round, which OpenSpiel calls perfect information: an observation has both boards and the roll,
an information state all rolls and moves so far. `str(state)` is the position alone, without the order of play, so that
an algorithm that takes it for the state examines each position once.

In the text of a game a comma ends a parameter, and OpenSpiel reads anything that looks like a number as a number. So
write a semicolon for a comma, `slots=1;3;5` and `dice=d{1;2;5}`, also after a range, `slots=1-3;`, and a tilde for an
equals sign, `dice=2d12:12~2`. A dict of parameters takes the usual notations:
`pyspiel.load_game("python_ten18_duel", {"slots": "1-3"})`.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tentimes18.envs.duel_view import DuelEquilibrium, DuelView
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, Position

try:
    import pyspiel
    from open_spiel.python.policy import Policy
except ImportError:
    raise Ten18Error("python_ten18_duel needs open_spiel: pip install 'tentimes18[rl]'") from None

NAME = "python_ten18_duel"
DEFAULTS: dict[str, Any] = {"dice": "3d6", "slots": "1-10", "draw": 0.5}
WRITTEN = str.maketrans(",=", ";~")
READ = str.maketrans(";~", ",=")
TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Python Ten Times Eighteen, the Duel",
    dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification=DEFAULTS,
)


class DuelCourse(NamedTuple):
    """Both boards, and the roll to place; None before it is rolled, and at the end. Immutable."""

    view: DuelView
    boards: tuple[Board, Board]
    roll: int | None = None

    def __deepcopy__(self, memo: dict[int, Any]) -> "DuelCourse":
        return self  # OpenSpiel clones a state by a deep copy of everything in it

    @property
    def rolls(self) -> list[int]:
        """All rolls so far, with the one to place."""
        return [roll for roll, _ in self.boards[0].placements] + ([] if self.roll is None else [self.roll])

    def position(self, player: int) -> Position:
        return Position(self.boards[player], self.boards[1 - player])

    def board_text(self, player: int) -> str:
        board = self.boards[player]
        return ",".join(_roll_text(board[slot]) for slot in range(1, board.game.size + 1))


def _roll_text(roll: int | None) -> str:
    return "-" if roll is None else str(roll)


class DuelGame(pyspiel.Game):  # type: ignore[misc]  # without types
    """The game: dice and slots in the notation of every command, and what a draw is worth to the first player."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        values = DEFAULTS | (params or {})
        dice, slots = (str(values[name]).translate(READ).strip(",") for name in ("dice", "slots"))
        draw = float(values["draw"])
        self.view = DuelView(Game.parse(dice, slots), draw)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.view.game.size,
            max_chance_outcomes=len(self.view.game.dice.support),
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.view.game.size,
        )
        super().__init__(TYPE, info, {"dice": _written(dice), "slots": _written(slots), "draw": draw})

    def new_initial_state(self) -> "DuelNode":
        return DuelNode(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> "DuelObserver":
        """What a player sees: the position, or with perfect recall the whole course of the game."""
        return DuelObserver(self.view.game, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


def _written(notation: str) -> str:
    """A notation in the text of a game; without a semicolon, a number would not be read as a text."""
    text = notation.translate(WRITTEN)
    return text if set(text) - set("+-.0123456789") else f"{text};"


class DuelNode(pyspiel.State):  # type: ignore[misc]  # without types
    def __init__(self, game: DuelGame) -> None:
        super().__init__(game)
        empty = Board(game.view.game)
        self.course = DuelCourse(game.view, (empty, empty))

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE if self.course.roll is None else pyspiel.PlayerId.SIMULTANEOUS)

    def is_terminal(self) -> bool:
        return not self.course.boards[0].free

    def chance_outcomes(self) -> list[tuple[int, float]]:
        dice = self.course.view.game.dice
        return [(place, count / dice.total) for place, count in enumerate(dice.counts)]

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0, 0.0]
        return [self.course.view.reward(self.course.position(player).lead, player) for player in (0, 1)]

    def _legal_actions(self, player: int) -> list[int]:
        return [slot - 1 for slot in self.course.boards[player].free_slots]

    def _apply_action(self, action: int) -> None:
        self.course = self.course._replace(roll=self.course.view.game.dice.support[action])

    def _apply_actions(self, actions: Sequence[int]) -> None:
        roll, (mine, theirs) = self.course.roll, self.course.boards
        assert roll is not None
        boards = mine.place(roll, int(actions[0]) + 1), theirs.place(roll, int(actions[1]) + 1)
        self.course = DuelCourse(self.course.view, boards)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"roll {self.course.view.game.dice.support[action]}"
        return f"#{action + 1}"

    def __str__(self) -> str:
        course = self.course
        return f"{course.board_text(0)} {course.board_text(1)} roll {_roll_text(course.roll)}"


class DuelObserver:
    """Observations as tensors and as text, from the side of a player: one's own board comes first."""

    def __init__(self, game: Game, iig_obs_type: Any, params: dict[str, Any] | None) -> None:
        if params:
            raise Ten18Error("there are no parameters of an observation", "params", params)
        n, rolls = game.size, len(game.dice.support)
        self._perfect_recall = bool(iig_obs_type.perfect_recall)
        self._is_public = bool(iig_obs_type.public_info)
        shapes: dict[str, tuple[int, ...]] = {}
        if iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            shapes["player"] = (2,)
        if self._is_public and self._perfect_recall:
            shapes |= {"rolls": (n, rolls), "own_slots": (n, n), "other_slots": (n, n)}
        elif self._is_public:
            shapes |= {"roll": (rolls,), "own_board": (n, rolls), "other_board": (n, rolls)}
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = np.zeros(sum(sizes), dtype=np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1]) if sizes else []
        self.dict = {name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)}

    def set_from(self, state: DuelNode, player: int) -> None:
        self.tensor.fill(0)
        seen, course = self.dict, state.course
        place = course.view.game.dice.support.index
        if "player" in seen:
            seen["player"][player] = 1
        if "roll" in seen and course.roll is not None:
            seen["roll"][place(course.roll)] = 1
        if "rolls" in seen:
            for number, roll in enumerate(course.rolls):
                seen["rolls"][number, place(roll)] = 1
        for name, board in (("own", course.boards[player]), ("other", course.boards[1 - player])):
            for number, (roll, slot) in enumerate(board.placements):
                if f"{name}_board" in seen:
                    seen[f"{name}_board"][slot - 1, place(roll)] = 1
                if f"{name}_slots" in seen:
                    seen[f"{name}_slots"][number, slot - 1] = 1

    def string_from(self, state: DuelNode, player: int) -> str:
        course = state.course
        parts = [f"p{player}"] if "player" in self.dict else []
        if self._is_public and self._perfect_recall:
            mine, theirs = course.boards[player].placements, course.boards[1 - player].placements
            parts += [f"{roll}@{own}/{other}" for (roll, own), (_, other) in zip(mine, theirs, strict=True)]
        elif self._is_public:
            parts += [course.board_text(player), course.board_text(1 - player)]
        if self._is_public:
            parts.append(f"roll {_roll_text(course.roll)}")
        return " ".join(parts)


class EquilibriumPolicy(Policy):  # type: ignore[misc]  # without types
    """Our equilibrium as a policy of OpenSpiel, for the game itself and for it made turn-based."""

    def __init__(self, game: Any) -> None:
        super().__init__(game, list(range(2)))
        parameters = game.get_parameters()
        duel = parameters.get("game", parameters)  # the original of a game made turn-based
        self.equilibrium = DuelEquilibrium(DuelGame({name: duel.get(name, DEFAULTS[name]) for name in DEFAULTS}).view)

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        """The mixed move of a player, with all legal actions: OpenSpiel searches best responses among these."""
        player = state.current_player() if player_id is None else player_id
        duel = state.simultaneous_game_state() if hasattr(state, "simultaneous_game_state") else state
        position = duel.course.position(player)
        moves = self.equilibrium.moves(position, duel.course.roll, player)
        return {slot - 1: moves.get(slot, 0.0) for slot in position.board.free_slots}


pyspiel.register_game(TYPE, DuelGame)
