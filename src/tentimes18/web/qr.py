"""Addresses as QR codes: pictures of plain paths, without a script, a style or anything to load."""

from io import BytesIO
from typing import Final

import segno

__all__ = ["MEDIA_TYPE", "qr_picture"]

MEDIA_TYPE: Final = "image/svg+xml"
QUIET: Final = 4  # modules around the code, which scanners need


def qr_picture(text: str) -> bytes:
    """An SVG picture of the QR code of a text: dark on white in either theme, as scanners want it.

    >>> picture = qr_picture("http://127.0.0.1:8018/duel/AAAAAAAAAAAAAAAAAAAAAA")
    >>> picture.startswith(b"<svg "), b"script" in picture, b"style" in picture
    (True, False, False)
    """
    file = BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(
        file,
        kind="svg",
        border=QUIET,
        dark="#000",
        light="#fff",
        xmldecl=False,
        svgclass=None,
        lineclass=None,
        omitsize=True,
        nl=False,
    )
    return file.getvalue()
