"""What can be asked: each query is declared once, and the command, the HTTP routes, JSON and CSV follow from it.

A query is a function in one of the topic files beside this one. Its public parameters are annotated with a type and a
`Doc`, its docstring is the documentation, its result is a frozen `msgspec.Struct`:

    @query(Advice)
    def advise(roll: Annotated[int, Doc("The roll to place.")], dice: DiceText = "3d6", ...) -> Advice: ...

A parameter without a `Doc` is filled in by the program that asks, never by its user:

    progress            called with the work done, and all work
    stage               the same for work in several stages: `with stage("games") as progress:`
    find, find_known    look up strategies by name; the command passes functions that may load a user's code
    tell                takes a line for people
    read_samples        reads the numbers of a file that a law names; read_rate a rate, or a file of rates

How a program uses a query:

    advise = QUERIES["advise"]             # imports the topic's file, and what that needs
    advise.parameters                      # name, type, default, limits and documentation of each parameter
    advise.result                          # the Struct of the answer, or a union of them, for OpenAPI
    result = advise(roll=9, free="1,4,7")  # Ten18Error with `field` where something is wrong
    to_json(result)                        # bytes: the same from the command and from HTTP, but for a line end

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

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the work done, and all work."""

Stage: TypeAlias = Callable[[str], AbstractContextManager[Progress | None]]
"""Opens a stage of the work by name, and gives its progress."""

Tell: TypeAlias = Callable[[str], None]
"""Takes a line for people."""


def no_stage(name: str) -> AbstractContextManager[None]:  # noqa: ARG001
    """A stage that shows nothing."""
    return nullcontext()


TOPICS = {
    "moves": ("advise",),
    "solutions": ("solve", "closest"),
    "distributions": ("distribution", "dice"),
    "targets": ("target", "aim", "front"),
    "games": ("drill", "review"),
    "duels": ("duel_response", "duel_equilibrium", "duel_cycle"),
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
MAX_ROLL = 10**6


@dataclass(frozen=True, slots=True)
class Doc:
    """The documentation of a parameter, and its limits.

    Attributes
    ----------
    default
        What a help text shows where the default is None.
    least, most
        The smallest and the largest number.
    is_argument
        Whether the command takes it by position.
    option
        The name of the command's option where it is not that of the parameter.
    read
        Reads the option's text; raises `Ten18Error`.
    is_required
        Whether the command insists on it although it has a default.
    lab_least, lab_most
        The smallest and the largest number that strangers may send, where these are others.
    max_length
        The longest text that strangers may send, each item of a list.
    max_items
        The longest list that strangers may send.
    example
        A value, for the documentation of the HTTP interface.
    """

    text: str
    metavar: str = ""
    default: str = ""
    least: int | None = None
    most: int | None = None
    is_argument: bool = False
    option: str = ""
    read: Callable[[str], Any] | None = None
    is_required: bool = False
    lab_least: int | None = None
    lab_most: int | None = None
    max_length: int = MAX_CHARACTERS
    max_items: int | None = None
    example: Any = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a query; ``type`` is a plain type, a Literal, or such a type or None."""

    name: str
    type: Any
    doc: Doc
    default: Any = ...

    @property
    def is_required(self) -> bool:
        """Whether it has no default."""
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
        """What it does, in the words of its docstring."""
        return self.function.__doc__ or ""

    @property
    def takes_record(self) -> bool:
        """Whether it is about the record of a game, which HTTP takes as the body of a POST."""
        return any(parameter.name == "record" for parameter in self.parameters)

    def __call__(self, **arguments: Any) -> Any:
        """Ask it."""
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

    def __getitem__(self, name: str) -> Query:
        topic = next((topic for topic, names in TOPICS.items() if name in names), None)
        if topic is None:
            raise KeyError(name)
        import_module(f"tentimes18.queries.{topic}")
        return _declared[name]

    def __iter__(self) -> Iterator[str]:
        return (name for names in TOPICS.values() for name in names)

    def __len__(self) -> int:
        return sum(map(len, TOPICS.values()))


QUERIES: Mapping[str, Query] = _Queries()


def answer_of(result: Any) -> Any:
    """The answer of a query, without what the result has beside it."""
    return getattr(result, "answer", result)


def to_json(result: Any) -> bytes:
    """The answer as JSON on one line: floats at full precision; optional fields that are not set are left out."""
    return json.dumps(msgspec.to_builtins(answer_of(result)), ensure_ascii=False).encode(errors="replace")


def split_progress(progress: Progress | None, *weights: float) -> list[Progress | None]:
    """Progress for jobs one after another, each with its part of the whole.

    >>> calls = []
    >>> first, second = split_progress(lambda done, total: calls.append((done, total)), 1, 3)
    >>> first(5, 10), second(1, 3), calls
    (None, None, [(125, 1000), (500, 1000)])
    """
    if progress is None:
        return [None] * len(weights)

    def part(number: int) -> Progress:
        before, share = sum(weights[:number]) / sum(weights), weights[number] / sum(weights)
        return lambda done, total: progress(round(1000 * (before + share * done / max(1, total))), 1000)

    return [part(number) for number in range(len(weights))]


DiceText = Annotated[
    str,
    Doc("3d6, 2d12:12=2, d{1,2,3,5,8}, 4d6kh3, 1d6!, or a sum like 2d6+1d8-3.", metavar="DICE", example="3d6"),
]
SlotsText = Annotated[
    str, Doc("Multipliers: a range like 1-10 or a list like 1,3,5,7,9.", metavar="SLOTS", example="1-10")
]
MovesText = Annotated[
    str,
    Doc(
        "A game in play, like '8@5 4@1': rolls and their slots.",
        metavar="MOVES",
        max_length=MAX_MOVES_CHARACTERS,
        example="8@5 4@1",
    ),
]
AimText = Annotated[
    str,
    Doc(
        "What counts: mean, target:700, duel, duel:optimal, duel:nearest, ...",
        metavar="AIM",
        max_length=MAX_AIM_CHARACTERS,
        example="mean",
    ),
]
StrategyName = Annotated[str, Doc("optimal, random, hindsight, target:700, cvar:0.1, ...", metavar="NAME")]
Exact = Annotated[bool, Doc("Every number as a fraction p/q.")]
Seed = Annotated[int, Doc("The same seed gives the same rolls.")]
Device = Annotated[Literal["cpu", "cuda"], Doc("The processor, or an NVIDIA GPU (needs the extra gpu).")]
