"""What can be asked: each query is declared once, and the command, the HTTP routes, JSON and CSV follow from it.

A query is a function in one of the topic files beside this one. Its public parameters are annotated with a type and a
`Doc`, its docstring is the documentation, its result is a frozen `msgspec.Struct`:

    @query(Advice)
    def advise(roll: Annotated[int, Doc("The roll to place.")], dice: DiceText = "3d6", ...) -> Advice: ...

A parameter without a `Doc` is filled in by the program that asks, never by its user:

    progress            called with the work done, and all work
    stage               the same for work in several stages: `with stage("games") as progress:`
    find, find_known    look up strategies by name; the command passes functions that may load a user's code
    tell                prints a line for people
    read_samples        reads the numbers of a file that a distribution names; read_rate a rate, or a file of rates

    result = QUERIES["advise"](roll=9, free="1,4,7")  # Ten18Error with `field` where something is wrong
    to_json(result)  # bytes: the same from the command and from HTTP, but for a line end

Some queries return more than their answer, for pages and pictures: an object with the property `answer`.

The lab of the web pages answers the queries in LAB, with GET, or with POST where `takes_record`. There the limits of
`Doc` for strangers hold, and a game is checked before the query by what the server accepts of strangers.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from inspect import Parameter as Signed
from inspect import signature
from types import UnionType
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from tentimes18.queries.json_numbers import plain
from tentimes18.solve.parallel import Progress

Stage: TypeAlias = Callable[[str], AbstractContextManager[Progress | None]]
Tell: TypeAlias = Callable[[str], None]


def no_stage(name: str) -> AbstractContextManager[None]:  # noqa: ARG001
    return nullcontext()


TOPICS = {
    "moves": ("advise",),
    "solutions": ("solve", "closest", "gap", "rules", "strategies", "target", "aim", "front"),
    "distributions": ("distribution", "dice"),
    "games": ("drill", "review"),
    "duels": ("duel_response", "duel_equilibrium", "duel_export", "duel_check", "duel_guarantee", "duel_cycle"),
    "simulations": ("simulate", "duel_play", "tournament", "rollout"),
    "several_players": ("table",),
    "printed": ("paper", "card", "prism"),
    "cache": ("cached", "clear_cache"),
    "assignment": ("assign",),
}
"""The files of this folder, and the queries that each declares."""

LAB = ("solve", "advise", "distribution", "target", "dice", "drill", "review")
"""The queries that the lab answers."""

MAX_CHARACTERS = 200
MAX_AIM_CHARACTERS = 60
MAX_MOVES_CHARACTERS = 400
MAX_SCORE_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class Doc:
    """The documentation of a parameter of a query, and its limits."""

    text: str
    metavar: str = ""
    default: str = ""  # shown by a help text in place of None
    least: int | None = None
    most: int | None = None
    is_argument: bool = False  # the command takes it by position
    option: str = ""  # the name of the command's option if it is not that of the parameter
    is_required: bool = False  # for the command, although it has a default
    lab_least: int | None = None  # the smallest and the largest number that strangers may send, if these are others
    lab_most: int | None = None
    max_length: int = MAX_CHARACTERS  # of a text that strangers send, or of each in a list
    max_items: int | None = None  # of a list that strangers send
    example: Any = None  # for the documentation of the HTTP interface


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a query; ``type`` is a plain type, a Literal, or such a type or None."""

    name: str
    type: Any
    doc: Doc
    default: Any = ...

    @property
    def is_required(self) -> bool:
        return self.default is ...


@dataclass(frozen=True, slots=True)
class Query:
    """What can be asked: a function, its public parameters, and the type of its answer."""

    name: str
    function: Callable[..., Any]
    parameters: tuple[Parameter, ...]
    result: type | UnionType
    internal: frozenset[str]

    @property
    def doc(self) -> str:
        return self.function.__doc__ or ""

    @property
    def takes_record(self) -> bool:
        return any(parameter.name == "record" for parameter in self.parameters)

    def __call__(self, **arguments: Any) -> Any:
        return self.function(**arguments)


_declared: dict[str, Query] = {}
_Function = TypeVar("_Function", bound=Callable[..., Any])


def query(result: Any, name: str | None = None) -> Callable[[_Function], _Function]:
    """Declare a function as a query with this type of answer; its name is the function's."""

    def declare(function: _Function) -> _Function:
        public = parameters_of(function)
        title = name or function.__name__
        internal = frozenset(signature(function).parameters) - {parameter.name for parameter in public}
        _declared[title] = Query(title, function, public, result, internal)
        return function

    return declare


def parameters_of(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """The parameters of a function that are documented."""
    hints = get_type_hints(function, include_extras=True)
    documented = []
    for name, sign in signature(function).parameters.items():
        doc = next((extra for extra in get_args(hints[name])[1:] if isinstance(extra, Doc)), None)
        if get_origin(hints[name]) is Annotated and doc is not None:
            default = ... if sign.default is Signed.empty else sign.default
            documented.append(Parameter(name, get_args(hints[name])[0], doc, default))
    return tuple(documented)


class _Queries(Mapping[str, Query]):
    """All queries by name; the file of one is imported when it is looked up."""

    topics: Mapping[str, str] = {name: topic for topic, names in TOPICS.items() for name in names}

    def __getitem__(self, name: str) -> Query:
        import_module(f"tentimes18.queries.{self.topics[name]}")
        return _declared[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.topics)

    def __len__(self) -> int:
        return len(self.topics)


QUERIES: Mapping[str, Query] = _Queries()


def answer_of(result: Any) -> Any:
    """The answer of a query, without what the result has beside it."""
    return getattr(result, "answer", result)


def to_json(result: Any) -> bytes:
    """The answer as JSON on one line: floats at full precision; optional fields that are not set are left out."""
    answer = msgspec.to_builtins(answer_of(result), enc_hook=plain)
    return json.dumps(answer, ensure_ascii=False).encode(errors="replace")


DiceText = Annotated[
    str, Doc("The dice, like 3d6, 2d12:12=2, d{1,2,3,5,8}, 4d6kh3, 1d6! or 2d6+1d8-3.", metavar="DICE", example="3d6")
]
SlotsText = Annotated[
    str, Doc("The multipliers: a range like 1-10, or a list like 1,3,5,7,9.", metavar="SLOTS", example="1-10")
]
MovesText = Annotated[
    str,
    Doc(
        "A game in progress, as rolls and their slots: '8@5 4@1'.",
        metavar="MOVES",
        max_length=MAX_MOVES_CHARACTERS,
        example="8@5 4@1",
    ),
]
AimText = Annotated[
    str,
    Doc(
        "The aim that counts: mean, target:700, duel, duel:optimal, duel:nearest, ...",
        metavar="AIM",
        max_length=MAX_AIM_CHARACTERS,
        example="mean",
    ),
]
StrategyName = Annotated[
    str, Doc("The strategy by name: optimal, random, hindsight, target:700, cvar:0.1, ...", metavar="NAME")
]
Exact = Annotated[bool, Doc("Show every number as a fraction p/q.")]
Seed = Annotated[int, Doc("The seed of the rolls: the same seed gives the same rolls.")]
Device = Annotated[Literal["cpu", "cuda"], Doc("Compute on the processor, or on an NVIDIA GPU (needs the extra gpu).")]
