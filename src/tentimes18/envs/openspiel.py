"""The duel for OpenSpiel: `python_ten18_duel`, which is there once this module is imported.

>>> import pyspiel
>>> import tentimes18.envs.openspiel
>>> game = pyspiel.load_game("python_ten18_duel(dice=1d6,slots=1-3;)")
>>> state = game.new_initial_state()
>>> state.apply_action(5)  # the dice show the last of their rolls
>>> state.apply_actions([2, 1])  # both place it, each in a slot of its own, counted from 0
>>> print(state)
-,-,6 -,6,- roll -

A roll is a chance node, then both players move at the same time. The higher score gets 1, the lower one -1; a draw
brings the first player 2 draw - 1 and the second the opposite, so that all of it sums to 0. All is seen but what the
other one chooses in the same round, which OpenSpiel calls perfect information: an observation has both boards and the
roll, an information state all rolls and moves so far. `str(state)` is the position alone, whatever the order of play
was, so that an algorithm that takes it for the state looks at each position once.

Where a game is written as a text, a comma ends a parameter, and what looks like a number is one: there a semicolon
stands for a comma, `slots=1;3;5` and `dice=d{1;2;5}`, one at the end makes a text of a range, `slots=1-3;`, and a tilde
stands for an equals sign, `dice=2d12:12~2`. In a dict of parameters all notations are as everywhere:
`pyspiel.load_game("python_ten18_duel", {"slots": "1-3"})`.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tentimes18.envs.duel_view import DuelEquilibrium, DuelView
from tentimes18.errors import Ten18Error
from tentimes18.game import Board, Game, Number, Position

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


class DuelRules:
    """What all states of a game share: the duel, the law of a roll, and the points of every roll in every slot."""

    def __init__(self, view: DuelView) -> None:
        game = view.game
        self.view = view
        self.size = game.size
        self.support = game.dice.support
        self.chances = [(place, count / game.dice.total) for place, count in enumerate(game.dice.counts)]
        self.points = [[multiplier * roll for roll in self.support] for multiplier in game.multipliers]


class DuelCourse(NamedTuple):
    """The rolls so far, by their place in the support of the dice, and the slots, from 0, that both placed them in.

    It never changes: a move makes a new one.
    """

    rules: DuelRules
    rolls: tuple[int, ...] = ()
    slots: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())

    def __deepcopy__(self, memo: dict[int, Any]) -> "DuelCourse":
        return self  # OpenSpiel clones a state by a deep copy of all that it has

    @property
    def rounds(self) -> int:
        """How many rolls are placed."""
        return len(self.slots[0])

    @property
    def roll(self) -> int | None:
        """The place in the support of the roll that waits; none before it is rolled, and at the end."""
        return self.rolls[-1] if len(self.rolls) > self.rounds else None

    @property
    def lead(self) -> Number:
        """The points of the first player less those of the second."""
        points = self.rules.points
        return sum(points[i][x] - points[j][x] for x, i, j in zip(self.rolls, *self.slots, strict=False))

    def position(self, player: int) -> Position:
        """Both boards, this player's first."""
        support, game = self.rules.support, self.rules.view.game
        mine, theirs = (
            Board.replay(game, [(support[x], slot + 1) for x, slot in zip(self.rolls, self.slots[whose], strict=False)])
            for whose in (player, 1 - player)
        )
        return Position(mine, theirs)

    def standing(self, player: int) -> list[int | None]:
        """What stands in the slots of a player, by place in the support."""
        found: list[int | None] = [None] * self.rules.size
        for slot, roll in zip(self.slots[player], self.rolls, strict=False):
            found[slot] = roll
        return found

    def shown_roll(self, roll: int | None) -> str:
        """A roll as it is shown; a line for none."""
        return "-" if roll is None else str(self.rules.support[roll])

    def shown_board(self, player: int) -> str:
        """A board as it is shown, by slot."""
        return ",".join(map(self.shown_roll, self.standing(player)))


class DuelGame(pyspiel.Game):  # type: ignore[misc]  # without types
    """The game: dice and slots in the notation of every command, and what a draw is worth to the first player."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = DEFAULTS | (params or {})
        dice, slots = (str(given[name]).translate(READ).strip(",") for name in ("dice", "slots"))
        self.rules = DuelRules(DuelView(Game.parse(dice, slots), float(given["draw"])))
        written = {"dice": _written(dice), "slots": _written(slots), "draw": float(given["draw"])}
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.size,
            max_chance_outcomes=len(self.rules.support),
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.rules.size,
        )
        super().__init__(TYPE, info, written)

    def new_initial_state(self) -> "DuelNode":
        """Two empty boards, before the first roll."""
        return DuelNode(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> "DuelObserver":
        """What a player sees: the position, or with perfect recall the whole course of the game."""
        return DuelObserver(self.rules, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


def _written(notation: str) -> str:
    """A notation as it stands in the text of a game: what looks like a number would not be read as a text."""
    text = notation.translate(WRITTEN)
    return text if set(text) - set("+-.0123456789") else f"{text};"


class DuelNode(pyspiel.State):  # type: ignore[misc]  # without types
    """A state: the course of the game so far."""

    def __init__(self, game: DuelGame) -> None:
        super().__init__(game)
        self.course = DuelCourse(game.rules)

    def current_player(self) -> int:
        """Who is to move: chance, both players, or nobody at the end."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE if self.course.roll is None else pyspiel.PlayerId.SIMULTANEOUS)

    def is_terminal(self) -> bool:
        """Whether both boards are full."""
        return self.course.rounds == self.course.rules.size

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The rolls by their place in the support of the dice, with their probabilities."""
        return self.course.rules.chances

    def returns(self) -> list[float]:
        """What both get; nothing before the end."""
        if not self.is_terminal():
            return [0.0, 0.0]
        view, lead = self.course.rules.view, self.course.lead
        return [view.reward(lead, 0), view.reward(-lead, 1)]

    def _legal_actions(self, player: int) -> list[int]:
        taken = self.course.slots[player]
        return [slot for slot in range(self.course.rules.size) if slot not in taken]

    def _apply_action(self, action: int) -> None:
        self.course = self.course._replace(rolls=(*self.course.rolls, action))

    def _apply_actions(self, actions: Sequence[int]) -> None:
        mine, theirs = self.course.slots
        self.course = self.course._replace(slots=((*mine, int(actions[0])), (*theirs, int(actions[1]))))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"roll {self.course.rules.support[action]}"
        return f"#{action + 1}"

    def __str__(self) -> str:
        course = self.course
        return f"{course.shown_board(0)} {course.shown_board(1)} roll {course.shown_roll(course.roll)}"


class DuelObserver:
    """Observations as tensors and as text, from the side of a player: one's own board comes first."""

    def __init__(self, rules: DuelRules, iig_obs_type: Any, params: dict[str, Any] | None) -> None:
        if params:
            raise Ten18Error("there are no parameters of an observation", "params", params)
        n, rolls = rules.size, len(rules.support)
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
        """Fill the tensor with what the player sees: a 1 for each thing that is there."""
        self.tensor.fill(0)
        seen, course = self.dict, state.course
        if "player" in seen:
            seen["player"][player] = 1
        if "roll" in seen:
            if course.roll is not None:
                seen["roll"][course.roll] = 1
            for name, whose in (("own_board", player), ("other_board", 1 - player)):
                for slot, roll in enumerate(course.standing(whose)):
                    if roll is not None:
                        seen[name][slot, roll] = 1
        if "rolls" in seen:
            for which, roll in enumerate(course.rolls):
                seen["rolls"][which, roll] = 1
            for name, whose in (("own_slots", player), ("other_slots", 1 - player)):
                for which, slot in enumerate(course.slots[whose]):
                    seen[name][which, slot] = 1

    def string_from(self, state: DuelNode, player: int) -> str:
        """The same as text."""
        course = state.course
        parts = [f"p{player}"] if "player" in self.dict else []
        if self._is_public and self._perfect_recall:
            moves = zip(course.rolls, course.slots[player], course.slots[1 - player], strict=False)
            parts += [f"{course.shown_roll(roll)}@{own + 1}/{other + 1}" for roll, own, other in moves]
        elif self._is_public:
            parts += [course.shown_board(player), course.shown_board(1 - player)]
        if self._is_public:
            parts.append(f"roll {course.shown_roll(course.roll)}")
        return " ".join(parts)


class EquilibriumPolicy(Policy):  # type: ignore[misc]  # without types
    """Our equilibrium as a policy of OpenSpiel, for the game itself and for it made turn-based."""

    def __init__(self, game: Any) -> None:
        super().__init__(game, list(range(2)))
        given = game.get_parameters()
        duel = given.get("game", given)  # of a game made turn-based, that of the original
        self.equilibrium = DuelEquilibrium(
            DuelGame({name: duel.get(name, DEFAULTS[name]) for name in DEFAULTS}).rules.view
        )

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        """The mixed move of a player: all legal actions, since a best response is looked for among those named."""
        player = state.current_player() if player_id is None else player_id
        duel = state.simultaneous_game_state() if hasattr(state, "simultaneous_game_state") else state
        course, position = duel.course, duel.course.position(player)
        moves = self.equilibrium.moves(position, course.rules.support[course.roll], player)
        return {slot - 1: moves.get(slot, 0.0) for slot in position.board.free_slots}


pyspiel.register_game(TYPE, DuelGame)
