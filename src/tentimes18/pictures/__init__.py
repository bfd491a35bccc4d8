"""What is asked before a picture is drawn: that matplotlib is there, and that the file has one of these endings.

This file is light; the modules that draw import matplotlib at their top.
"""

import logging
from importlib.util import find_spec

from tentimes18.errors import Ten18Error

ENDINGS = (".png", ".svg", ".pdf")


def require_matplotlib() -> None:
    """Raise ``Ten18Error`` where matplotlib is not installed; else it is asked to keep its remarks to itself.

    It logs them when it is imported: that its folder cannot be written, that it looks for fonts.
    """
    try:
        is_there = find_spec("matplotlib") is not None
    except ValueError:  # it was taken away on purpose
        is_there = False
    if not is_there:
        raise Ten18Error("pictures need matplotlib: pip install 'tentimes18[plot]'")
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
