"""Answers of a calculator, kept: what many ask is computed once, whether they ask one after another or at once.

An answer depends on its question alone. Kept are the latest ones, up to so many bytes, a long one packed too; each has
a strong ETag, the digest of its bytes, by which whoever has it already is told so.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Final

from tentimes18.server.calculator.calculator import GAME_PROCESS, LAB_PROCESS, Calculator, QuestionToAsk
from tentimes18.server.http_caching import CachedBody

__all__ = ["KeptAnswers", "coach_answers", "lab_answers"]

LAB_BYTES: Final = 64_000_000
COACH_BYTES: Final = 16_000_000
COACH_WAITING: Final = 64
TINY: Final[Mapping[str, Any]] = {"dice": "1d2", "slots": "1,2"}
WARM: Final[tuple[QuestionToAsk, ...]] = (  # which load the compiled code, and compile what was never used
    ("target", {**TINY, "target": "4"}),
    ("distribution", {**TINY, "strategy": "cvar:0.5,utility:exp:0.01"}),
    ("advise", {**TINY, "roll": 1, "aim": "duel"}),
    ("advise", {**TINY, "roll": 1, "aim": "duel:optimal"}),
    ("advise", {**TINY, "roll": 1, "target": "4"}),
)
OVERHEAD: Final = 500  # bytes of an answer beside its own


class KeptAnswers:
    """The answers of a calculator, the latest of them kept up to so many bytes."""

    def __init__(self, calculator: Calculator, most_bytes: int) -> None:
        self.calculator = calculator
        self.most_bytes = most_bytes
        self.nbytes = 0
        self._kept: OrderedDict[str, CachedBody] = OrderedDict()
        self._asked: dict[str, asyncio.Task[CachedBody]] = {}
        self.tell: Callable[[str, str], None] = lambda _question, _outcome: None
        """Told of every question, and whether it was kept, answered or failed."""

    def __len__(self) -> int:
        return len(self._kept)

    async def ask(self, question: str, data: Mapping[str, Any]) -> CachedBody:
        """The answer; raises as `Calculator.ask` does, and then keeps nothing."""
        key = json.dumps([question, data], sort_keys=True)
        if key in self._kept:
            self._kept.move_to_end(key)
            self.tell(question, "kept")
            return self._kept[key]
        if key not in self._asked:
            self._asked[key] = task = asyncio.create_task(self._answer(key, question, data))
            task.add_done_callback(lambda task: self._forget(key, task))
        return await asyncio.shield(self._asked[key])  # who goes does not take it from the others

    def _forget(self, key: str, task: "asyncio.Task[CachedBody]") -> None:
        del self._asked[key]
        if not task.cancelled():
            task.exception()  # seen, though nobody may wait for it any more

    async def ask_anew(self, question: str, data: Mapping[str, Any]) -> bytes:
        """The answer, computed and not kept; raises as `Calculator.ask` does."""
        try:
            body = await self.calculator.ask(question, data)
        except Exception:
            self.tell(question, "failed")
            raise
        self.tell(question, "answered")
        return body

    async def _answer(self, key: str, question: str, data: Mapping[str, Any]) -> CachedBody:
        body = await self.ask_anew(question, data)
        answer = await asyncio.to_thread(CachedBody.of, body)  # packing a long one would hold up all others
        self._kept[key] = answer
        self.nbytes += _size(key, answer)
        while self.nbytes > self.most_bytes:
            self.nbytes -= _size(*self._kept.popitem(last=False))
        return answer


def lab_answers() -> KeptAnswers:
    """What the lab answers with: a process that has loaded all there is."""
    return KeptAnswers(Calculator(LAB_PROCESS, warm=WARM), LAB_BYTES)


def coach_answers() -> KeptAnswers:
    """What a game is asked: a process that is small, and quick to answer."""
    return KeptAnswers(Calculator(GAME_PROCESS, most_waiting=COACH_WAITING), COACH_BYTES)


def _size(key: str, answer: CachedBody) -> int:
    return len(key) + len(answer.body) + len(answer.packed or b"") + OVERHEAD
