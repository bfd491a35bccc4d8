"""Addresses as QR codes: pictures of plain paths, without a script, a style or anything to load."""

from io import BytesIO

import segno

from tentimes18.errors import Ten18Error

MEDIA_TYPE = "image/svg+xml"
LONGEST = 400  # characters: a host has 253 at the most
QUIET = 4  # modules around the code, which scanners need


def qr_picture(text: str) -> bytes:
    """An SVG picture of the QR code of a text: dark on white in either theme, as scanners want it.

    Raises ``Ten18Error`` where the text is no address that a host may have.

    >>> picture = qr_picture("http://127.0.0.1:8018/duel/AAAAAAAAAAAAAAAAAAAAAA")
    >>> picture.startswith(b"<svg "), b"script" in picture, b"style" in picture
    (True, False, False)
    """
    if len(text) > LONGEST:
        raise Ten18Error(f"an address of {len(text):,} characters; at most {LONGEST} are accepted", "host")
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
