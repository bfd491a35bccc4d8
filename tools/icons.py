"""The icons of the app, made from its mark: `python -m tools.icons` writes them.

The mark is three blocks that grow in length and in thickness, as points do. Where a system cuts an icon into a shape of
its own, all of the mark lies in the circle that every shape leaves (four fifths of the width).
"""

import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tentimes18.files import write_whole
from tentimes18.pictures.colours import colour_of

FOLDER = Path(__file__).resolve().parents[1] / "src" / "tentimes18" / "app" / "static" / "icons"
MARK = ((0, 0, 12, 2, 1.0), (0, 5, 19, 5, 1.5), (0, 13, 26, 9, 2.0))
"""Blocks: left, top, width, height, radius, on a ground of 26 by 22."""
MARK_SIZE = (26, 22)
CORNER = 0.22  # of the width
SHARE = 0.56  # of the width that the mark takes
MASKED_SHARE = 0.5

Plane = NDArray[np.float64]


def _blocks(size: float, share: float) -> list[tuple[float, float, float, float, float]]:
    """The blocks of the mark, in the middle of a square."""
    scale = size * share / MARK_SIZE[0]
    left, top = ((size - side * scale) / 2 for side in MARK_SIZE)
    return [(left + x * scale, top + y * scale, w * scale, h * scale, r * scale) for x, y, w, h, r in MARK]


def _coverage(size: int, block: tuple[float, float, float, float, float]) -> Plane:
    """How much of each pixel a rounded block covers, from its distance to the edge."""
    left, top, width, height, radius = block
    across, down = np.meshgrid(np.arange(size) + 0.5, np.arange(size) + 0.5)
    dx = np.abs(across - left - width / 2) - width / 2 + radius
    dy = np.abs(down - top - height / 2) - height / 2 + radius
    outside = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) + np.minimum(np.maximum(dx, dy), 0) - radius
    covered: Plane = np.clip(0.5 - outside, 0, 1)
    return covered


def _colour(name: str) -> Plane:
    return np.frombuffer(bytes.fromhex(colour_of(name)[1:]), np.uint8).astype(np.float64)


def _picture(size: int, *, is_masked: bool) -> NDArray[np.uint8]:
    """The icon as rows of pixels, red, green, blue and how opaque."""
    down = np.linspace(0, 1, size)[:, None, None]
    picture = np.broadcast_to(_colour("felt-lit") * (1 - down) + _colour("felt-deep") * down, (size, size, 3))
    for block in _blocks(size, MASKED_SHARE if is_masked else SHARE):
        covered = _coverage(size, block)[..., None]
        picture = picture * (1 - covered) + _colour("on-deep") * covered
    whole = (0.0, 0.0, float(size), float(size), 0.0 if is_masked else size * CORNER)
    opaque = _coverage(size, whole)[..., None] * 255
    rounded: NDArray[np.uint8] = np.rint(np.concatenate([picture, opaque], axis=2)).astype(np.uint8)
    return rounded


def _png(picture: NDArray[np.uint8]) -> bytes:
    height, width, _ = picture.shape
    rows = b"".join(b"\0" + row.tobytes() for row in picture)
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    chunks = (struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _svg() -> bytes:
    size = 64
    blocks = "".join(
        f'<rect x="{x:.2f}" y="{y:.2f}" width="{w:.2f}" height="{h:.2f}" rx="{r:.2f}"/>'
        for x, y, w, h, r in _blocks(size, SHARE)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}">'
        f'<rect width="{size}" height="{size}" rx="{size * CORNER:.2f}" fill="{colour_of("felt-lit")}"/>'
        f'<g fill="{colour_of("on-deep")}">{blocks}</g></svg>\n'
    ).encode()


def icons() -> dict[str, bytes]:
    """The files by their names."""
    return {
        "icon.svg": _svg(),
        "icon-192.png": _png(_picture(192, is_masked=False)),
        "icon-512.png": _png(_picture(512, is_masked=False)),
        "maskable-512.png": _png(_picture(512, is_masked=True)),
    }


def main() -> None:
    """Write them."""
    FOLDER.mkdir(exist_ok=True)
    for name, data in icons().items():
        write_whole(FOLDER / name, data)


if __name__ == "__main__":
    main()
