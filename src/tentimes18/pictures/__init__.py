"""The endings of picture files, and a check for matplotlib. The modules that draw import matplotlib at their top."""

import logging
from importlib.util import find_spec

from tentimes18.errors import Ten18Error

ENDINGS = (".png", ".svg", ".pdf")


def require_matplotlib() -> None:
    """Raise ``Ten18Error`` where matplotlib is not installed; silence what it logs when it is imported."""
    try:
        is_installed = find_spec("matplotlib") is not None
    except ValueError:  # sys.modules has None for it
        is_installed = False
    if not is_installed:
        raise Ten18Error("pictures need matplotlib: pip install 'tentimes18[plot]'")
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
