"""The models, run by a small interpreter of the PRISM language that knows nothing of how they are made."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tentimes18.dice import Dice
from tentimes18.errors import TooLarge
from tentimes18.game import Game
from tentimes18.solve.prism_model import PROPERTY, prism_model
from tentimes18.solve.subsets import exact_subset_values

Value: TypeAlias = bool | Fraction
State: TypeAlias = tuple[Value, ...]
Expression: TypeAlias = Callable[[Mapping[str, Value]], Value]

PYTHON = {"=": "==", "&": " and ", "|": " or ", "!": " not ", "true": "True", "false": "False"}


def expression(text: str) -> Expression:
    """A PRISM expression as a function; numbers are exact, as in a checker that computes exactly."""
    tokens = re.findall(r"\d+(?:\.\d+)?|\w+|!=|\S", text)
    python = "".join(
        f"Fraction('{token}')"
        if token[0].isdigit()
        else f"names['{token}']"
        if token[0].isalpha() and token not in PYTHON
        else PYTHON.get(token, token)
        for token in tokens
    )
    code = compile(python.strip(), text, "eval")

    def evaluate(names: Mapping[str, Value]) -> Value:
        value = eval(code, {"Fraction": Fraction, "names": names})
        assert isinstance(value, bool | Fraction)
        return value

    return evaluate


@dataclass(frozen=True)
class Variable:
    name: str
    low: Expression | None
    high: Expression | None
    init: Expression

    def check(self, value: Value, names: Mapping[str, Value]) -> None:
        if self.low is None or self.high is None:
            assert isinstance(value, bool)
        else:
            assert self.low(names) <= value <= self.high(names)


@dataclass(frozen=True)
class Command:
    action: str
    guard: Expression
    updates: list[tuple[Expression, dict[str, Expression]]]


class Model:
    """A PRISM model of one module, with one label and one reward structure."""

    def __init__(self, text: str) -> None:
        text = re.sub(r"//.*", "", text).strip()
        match = re.fullmatch(
            r'mdp\s(.*)\bmodule \w+\s(.*)\bendmodule\s+label "done" =(.*?);\s+rewards "points"\s(.*)\bendrewards',
            text,
            re.DOTALL,
        )
        assert match, text
        constants, module, done, rewards = match.groups()
        self.names = {name: expression(value)({}) for name, value in re.findall(r"const int (\w+) = (.*?);", constants)}
        statements = [statement.strip() for statement in module.split(";") if statement.strip()]
        self.variables = [variable(statement) for statement in statements if not statement.startswith("[")]
        self.commands = [command(statement) for statement in statements if statement.startswith("[")]
        self.done = expression(done)
        self.rewards = [
            (action, expression(guard), expression(value))
            for action, guard, value in re.findall(r"\[(\w+)\](.*?):(.*?);", rewards)
        ]
        self.transitions = 0
        self.choices = self.explore()

    def name(self, state: State) -> dict[str, Value]:
        return self.names | {variable.name: value for variable, value in zip(self.variables, state, strict=True)}

    def explore(self) -> dict[State, list[tuple[Fraction, list[tuple[Fraction, State]]]]]:
        """The reachable states, each with its choices: the reward, and the chance of each next state."""
        self.initial: State = tuple(variable.init(self.names) for variable in self.variables)
        choices: dict[State, list[tuple[Fraction, list[tuple[Fraction, State]]]]] = {}
        waiting = [self.initial]
        while waiting:
            state = waiting.pop()
            if state in choices:
                continue
            names = self.name(state)
            choices[state] = [self.choice(command, names) for command in self.commands if command.guard(names)]
            assert choices[state], "a deadlock"
            for _, chances in choices[state]:
                waiting += [after for _, after in chances]
        return choices

    def choice(self, command: Command, names: Mapping[str, Value]) -> tuple[Fraction, list[tuple[Fraction, State]]]:
        reward = sum(
            (
                Fraction(value(names))
                for action, guard, value in self.rewards
                if action == command.action and guard(names)
            ),
            Fraction(0),
        )
        assert reward >= 0
        chances = []
        for chance, assignments in command.updates:
            after = dict(names) | {name: value(names) for name, value in assignments.items()}
            for variable in self.variables:
                variable.check(after[variable.name], names)
            chances.append((Fraction(chance(names)), tuple(after[variable.name] for variable in self.variables)))
        assert sum(chance for chance, _ in chances) == 1
        self.transitions += len(chances)
        return reward, chances

    def answer(self) -> Fraction:
        """R{"points"}max=? [ F "done" ] by value iteration; it ends, since no play goes on for ever."""
        done = {state for state in self.choices if self.done(self.name(state))}
        value = dict.fromkeys(self.choices, Fraction(0))
        while True:
            better = {
                state: Fraction(0)
                if state in done
                else max(
                    reward + sum(chance * value[after] for chance, after in chances) for reward, chances in options
                )
                for state, options in self.choices.items()
            }
            if better == value:
                return value[self.initial]
            value = better


def variable(text: str) -> Variable:
    match = re.fullmatch(r"(\w+) : (?:bool|\[(.*?)\.\.(.*?)\]) init (.*)", text)
    assert match, text
    name, low, high, init = match.groups()
    return Variable(name, expression(low) if low else None, expression(high) if high else None, expression(init))


def command(text: str) -> Command:
    match = re.fullmatch(r"\[(\w+)\](.*?)->(.*)", text, re.DOTALL)
    assert match, text
    action, guard, updates = match.groups()
    parts = [part.rpartition(":") for part in re.split(r"\+(?=[^()]*:)", updates)]
    return Command(
        action,
        expression(guard),
        [(expression(chance or "1"), assignments(effect)) for chance, _, effect in parts],
    )


def assignments(text: str) -> dict[str, Expression]:
    if text.strip() == "true":
        return {}
    pairs = re.findall(r"\((\w+)'=(.*?)\)", text)
    assert " & ".join(f"({name}'={value})" for name, value in pairs) == text.strip()
    return {name: expression(value) for name, value in pairs}


def constant(text: str) -> Fraction:
    """What the header says to take from the answer."""
    match = re.search(r"the answer - (\S+)", text)
    return Fraction(match[1]) if match else Fraction(0)


def header(text: str, entry: str) -> str:
    match = re.search(rf"^// {entry} +(.*)", text, re.MULTILINE)
    assert match
    return match[1]


GAMES = [
    ("3d6", "1-5"),
    ("2d12:12=2", "1-4"),
    ("1d6", "2,2,2"),
    ("1d6-3", "-2,-1,0,1/2"),
    ("1d6-3", "1-4"),
    ("d{-7,100}:100=3", "1/3,1/3,2/7"),
    ("2d6", "-3,-2,-1"),
    ("-2d4", "1-3"),
    ("1d4", "0,0"),
    ("d{0}", "1,2"),
    ("d{-5}", "7"),
    ("100d2", "1,2"),
    ("1d2", "0.1,10000000000"),
    ("d{-2000000000,2000000000}", "-3,1000000"),
]


@given(
    st.dictionaries(st.integers(-9, 9), st.integers(1, 5), min_size=1, max_size=3),
    st.lists(st.fractions(-4, 4, max_denominator=6), min_size=1, max_size=3),
)
@settings(max_examples=60, deadline=None)
def test_any_small_game(law: dict[int, int | Fraction], multipliers: list[int | Fraction]) -> None:
    game = Game(Dice.from_mapping(law), multipliers)
    text = prism_model(game)
    assert Model(text).answer() - constant(text) == exact_subset_values(game)[game.all_free]


@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_answer_is_the_exact_value_and_the_header_says_so(dice: str, slots: str) -> None:
    game = Game.parse(dice, slots)
    text = prism_model(game)
    model = Model(text)
    answer = model.answer()
    assert answer - constant(text) == exact_subset_values(game)[game.all_free]
    assert header(text, "check") == PROPERTY
    assert abs(Fraction(Decimal(header(text, "answer"))) - answer) <= abs(answer) * Fraction(1, 10**19)
    expected = Fraction(Decimal(header(text, "expected").split(",")[0]))
    assert abs(expected - (answer - constant(text))) <= abs(answer - constant(text)) * Fraction(1, 10**19)
    assert header(text, "size") == f"{len(model.choices):,} states, {model.transitions:,} transitions"


def test_classic_game_needs_no_constant() -> None:
    text = prism_model(Game.classic())
    assert header(text, "answer") == "642.23935042561522349"
    assert constant(text) == 0


@pytest.mark.parametrize(("dice", "slots"), GAMES)
def test_no_integer_is_beyond_prism(dice: str, slots: str) -> None:
    text = re.sub(r"//.*", "", prism_model(Game.parse(dice, slots)))
    numbers = re.findall(r"\b\d+(?:\.\d+)?", text)
    assert all(int(number) < 2**31 for number in numbers if "." not in number)
    rolls = [int(roll) for roll in re.findall(r"x'=(-?\d+)", text)]
    for multiplier in re.findall(r": (-?\d+)\*x", text):
        assert all(abs(int(multiplier) * roll) < 2**31 for roll in rolls)


@pytest.mark.parametrize(
    ("dice", "slots", "figure"),
    [
        ("3d6", "1-21", "2^21"),
        ("100d6", "1-16", "2^16"),
        ("1d6", "1-1000", "2^1000"),
        ("500d6", "1-2", "390 digits"),
        ("d{3000000000}", "1", "2147483647"),
    ],
)
def test_too_large(dice: str, slots: str, figure: str) -> None:
    with pytest.raises(TooLarge, match=re.escape(figure)):
        prism_model(Game.parse(dice, slots))


def test_twenty_slots_are_accepted() -> None:
    assert header(prism_model(Game.parse("3d6", "1-20")), "size").startswith("17,825,776 states")
