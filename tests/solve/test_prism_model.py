"""The models, run by a small interpreter of the PRISM language that knows nothing of how they are made."""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cache
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
Names: TypeAlias = Mapping[str, Value]
Expression: TypeAlias = Callable[[Names], Value]
Choice: TypeAlias = tuple[Fraction, list[tuple[Fraction, State]]]
"""A reward, and the chance of each next state."""

PYTHON = {"=": "==", "&": " and ", "|": " or ", "!": " not ", "true": "True", "false": "False"}


def expression(text: str) -> Expression:
    """A PRISM expression as a function; numbers are exact, as in a checker that computes exactly."""

    def word(token: str) -> str:
        if token[0].isdigit():
            return f"Fraction('{token}')"
        return f"names['{token}']" if token[0].isalpha() and token not in PYTHON else PYTHON.get(token, token)

    code = compile("".join(map(word, re.findall(r"\d+(?:\.\d+)?|\w+|!=|\S", text))).strip(), text, "eval")

    def evaluate(names: Names) -> Value:
        value = eval(code, {"Fraction": Fraction, "names": names})
        assert isinstance(value, bool | Fraction)
        return value

    return evaluate


def matched(pattern: str, text: str) -> tuple[str, ...]:
    match = re.fullmatch(pattern, text, re.DOTALL)
    assert match, text
    return match.groups()


class Model:
    """A PRISM model of one module, with one label and one reward structure."""

    def __init__(self, text: str) -> None:
        constants, module, done, rewards = matched(
            r'mdp\s(.*)\bmodule \w+\s(.*)\bendmodule\s+label "done" =(.*?);\s+rewards "points"\s(.*)\bendrewards',
            re.sub(r"//.*", "", text).strip(),
        )
        self.names = {name: expression(value)({}) for name, value in re.findall(r"const int (\w+) = (.*?);", constants)}
        statements = [statement.strip() for statement in module.split(";") if statement.strip()]
        variables = [
            matched(r"(\w+) : (?:bool|\[(.*?)\.\.(.*?)\]) init (.*)", statement)
            for statement in statements
            if not statement.startswith("[")
        ]
        self.variables = [name for name, *_ in variables]
        self.ranges = {name: (expression(low), expression(high)) for name, low, high, _ in variables if low}
        self.commands = [command(statement) for statement in statements if statement.startswith("[")]
        self.done = expression(done)
        self.rewards = [
            (action, expression(guard), expression(value))
            for action, guard, value in re.findall(r"\[(\w+)\](.*?):(.*?);", rewards)
        ]
        self.initial: State = tuple(expression(init)(self.names) for *_, init in variables)
        self.choices: dict[State, list[Choice]] = {}
        waiting = [self.initial]
        while waiting:
            if (state := waiting.pop()) not in self.choices:
                names = self.name(state)
                found = [
                    self.choice(action, updates, names) for action, updates, guard in self.commands if guard(names)
                ]
                assert found, "a deadlock"
                self.choices[state] = found
                waiting += [after for _, chances in found for _, after in chances]
        self.transitions = sum(len(chances) for found in self.choices.values() for _, chances in found)

    def name(self, state: State) -> dict[str, Value]:
        return self.names | dict(zip(self.variables, state, strict=True))

    def choice(self, action: str, updates: list[tuple[Expression, dict[str, Expression]]], names: Names) -> Choice:
        pays = (Fraction(value(names)) for known, guard, value in self.rewards if known == action and guard(names))
        reward, chances = sum(pays, Fraction(0)), []
        assert reward >= 0
        for chance, assignments in updates:
            after = dict(names) | {name: value(names) for name, value in assignments.items()}
            for name in self.variables:
                if name in self.ranges:
                    low, high = self.ranges[name]
                    assert low(names) <= after[name] <= high(names)
                else:
                    assert isinstance(after[name], bool)
            chances.append((Fraction(chance(names)), tuple(after[name] for name in self.variables)))
        assert sum(chance for chance, _ in chances) == 1
        return reward, chances

    def answer(self) -> Fraction:
        """R{"points"}max=? [ F "done" ] by recursion; it ends, since every play ends."""

        @cache
        def value(state: State) -> Fraction:
            if self.done(self.name(state)):
                return Fraction(0)
            return max(
                reward + sum(chance * value(after) for chance, after in chances)
                for reward, chances in self.choices[state]
            )

        return value(self.initial)


def command(text: str) -> tuple[str, list[tuple[Expression, dict[str, Expression]]], Expression]:
    """The action of a command, its updates, each with its chance, and its guard."""
    action, guard, updates = matched(r"\[(\w+)\](.*?)->(.*)", text)
    parts = [part.rpartition(":") for part in re.split(r"\+(?=[^()]*:)", updates)]
    return action, [(expression(chance or "1"), assignments(effect)) for chance, _, effect in parts], expression(guard)


def assignments(text: str) -> dict[str, Expression]:
    pairs = re.findall(r"\((\w+)'=(.*?)\)", text)
    assert (" & ".join(f"({name}'={value})" for name, value in pairs) or "true") == text.strip()
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
    ("3d6", "1-4"),
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
@settings(max_examples=30)
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
