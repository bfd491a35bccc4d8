"""A worker process, asked from inside: what the server starts is fit for it."""

import sys

from tests.support.command import clean_environment
from tests.support.process import finished

ASK = """
import asyncio, gc, sys
from tentimes18.server.server import worker_app
app = worker_app()
async def live():
    async with app.litestar.lifespan():
        print(sys.getswitchinterval(), gc.get_freeze_count() > 10_000, gc.get_threshold()[2])
asyncio.run(live())
"""


def test_it_is_set_up_for_short_answers() -> None:
    done = finished((sys.executable, "-c", ASK), env=clean_environment({"TEN18_TABLES": "off"}))
    assert done.stdout.decode().split() == ["0.0005", "True", "1000"], done.stderr.decode()
