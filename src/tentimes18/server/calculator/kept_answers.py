"""Answers of a calculator, kept: what many ask is computed once, whether they ask one after another or at once.

An answer depends on its question alone. Kept are the latest ones, up to so many bytes, a long one packed too; each has
a strong ETag, the digest of its bytes, by which whoever has it already is told so.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from fastapi import Request, Response
from starlette.concurrency import run_in_threadpool

from tentimes18.server.calculator.calculator import GAME_PROCESS, LAB_PROCESS, Calculator, QuestionToAsk
from tentimes18.server.etags import is_known
from tentimes18.server.packing import QUICK, accepts_gzip, pack, packed_etag

__all__ = ["KeptAnswer", "KeptAnswers", "answer_response", "coach_answers", "lab_answers"]

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
ETAG_BYTES: Final = 16
LEAST_PACKED: Final = 2_000  # bytes: less is not worth it


class KeptAnswer(NamedTuple):
    """The bytes of an answer, packed too where that is worth it, and the ETag of them."""

    body: bytes
    packed: bytes | None
    etag: str

    @classmethod
    def of(cls, body: bytes) -> "KeptAnswer":
        """The answer with these bytes.

        >>> KeptAnswer.of(b"{}").etag == KeptAnswer.of(b"{}").etag != KeptAnswer.of(b"[]").etag
        True
        """
        packed = pack(body, QUICK) if len(body) >= LEAST_PACKED else None
        return cls(body, packed, f'"{blake2b(body, digest_size=ETAG_BYTES).hexdigest()}"')


class KeptAnswers:
    """The answers of a calculator, the latest of them kept up to so many bytes."""

    def __init__(self, calculator: Calculator, most_bytes: int) -> None:
        self.calculator = calculator
        self.most_bytes = most_bytes
        self.nbytes = 0
        self._kept: OrderedDict[str, KeptAnswer] = OrderedDict()
        self._asked: dict[str, asyncio.Task[KeptAnswer]] = {}
        self.tell: Callable[[str, str], None] = lambda _question, _outcome: None
        """Told of every question, and whether it was kept, answered or failed."""

    def __len__(self) -> int:
        return len(self._kept)

    async def ask(self, question: str, data: Mapping[str, Any]) -> KeptAnswer:
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

    def _forget(self, key: str, task: "asyncio.Task[KeptAnswer]") -> None:
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

    async def _answer(self, key: str, question: str, data: Mapping[str, Any]) -> KeptAnswer:
        body = await self.ask_anew(question, data)
        answer = await run_in_threadpool(KeptAnswer.of, body)  # packing a long one would hold up all others
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


def _size(key: str, answer: KeptAnswer) -> int:
    return len(key) + len(answer.body) + len(answer.packed or b"") + OVERHEAD


def answer_response(request: Request, answer: KeptAnswer, caching: str) -> Response:
    """The answer, or 304 to one who has it; ``caching`` says who may keep it, and for how long."""
    packed = answer.packed if accepts_gzip(request.headers.get("accept-encoding", "")) else None
    etag = answer.etag if packed is None else packed_etag(answer.etag)
    headers = {"ETag": etag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
    if is_known(request.headers.getlist("if-none-match"), etag):
        return Response(status_code=304, headers=headers)
    if packed is not None:
        headers["Content-Encoding"] = "gzip"
    return Response(answer.body if packed is None else packed, headers=headers, media_type="application/json")
