"""A GPU in name only: the CUDA programs compiled as C++, a block being one thread, so that all of it runs anywhere."""

import ctypes
import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tentimes18.files import whole_file
from tentimes18.game import Game
from tentimes18.gpu.device import Gpu, Kernel, KernelStruct, program_text
from tests.support.process import finished

COMPILER: Final = shutil.which("g++") or shutil.which("c++")
PATIENCE: Final = 120.0
ALIGNED: Final = 16
CASES: Final = (  # small enough for one thread, and of every kind
    "1d6 1-3",
    "3d6 1-5",
    "1d6 1-6",
    "d{1,5,7} 1,3,7,8",  # rolls with gaps
    "1d6 -3,-1,2,5/2",  # negative and rational multipliers
    "2d6 1/2,1/3,4,4",  # equal ones
    "1d40 1-4",  # more rolls than a tile has
    "1d1 1-3",  # one roll
    "d{0,100} 1,50,300",  # leads far apart
)


class HostGpu(Gpu):
    """Programs go into a folder that several processes may share; figures are those of a GPU, and may be smaller."""

    name = "a GPU in name only"
    xp: Any = np
    multiprocessors = 2

    def __init__(
        self, folder: Path, block_shared: int = 227 * 1024, shared: int = 228 * 1024, memory: int = 8 * 10**9
    ) -> None:
        self.block_shared, self.shared, self._memory = block_shared, shared, memory
        self._folder = folder
        self._libraries: dict[Path, ctypes.CDLL] = {}

    def with_figures(self, **figures: int) -> "HostGpu":
        """The same GPU with other figures: ``block_shared``, ``shared`` or ``memory``."""
        return HostGpu(self._folder, **figures)

    def memory_left(self) -> int:
        return self._memory

    def kernel(self, program: str, name: str, /, **constants: int) -> "HostKernel":
        options = [f"-D{constant}={value}" for constant, value in constants.items()]
        text = program_text(program)
        mark = hashlib.blake2b(f"{options}{text}".encode(), digest_size=8).hexdigest()
        path = self._folder / f"{program}-{mark}.so"
        if path not in self._libraries:
            if not path.exists():
                self._compile(text, options, path)
            self._libraries[path] = ctypes.CDLL(str(path))
        return HostKernel(self._libraries[path][name])

    def _compile(self, text: str, options: list[str], path: Path) -> None:
        source = path.with_suffix(".cpp")
        with whole_file(source) as file:
            file.write(text.encode())
        with TemporaryDirectory(dir=self._folder) as folder:
            made = Path(folder) / path.name
            strict = ["-std=c++17", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"]
            loose = ["-Wno-unknown-pragmas", "-Wno-maybe-uninitialized"]
            command = [str(COMPILER), *strict, *loose, "-shared", "-fPIC", *options, "-o", str(made), str(source)]
            done = finished(command, timeout=PATIENCE)
            assert done.returncode == 0, done.stderr.decode()
            made.replace(path)  # at once: another process may wait for it

    def pointer(self, array: NDArray[Any]) -> int:
        return int(array.ctypes.data)

    def to_host(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy()

    def finish(self) -> None:
        """Nothing is under way."""


class HostKernel(Kernel):
    """A kernel as a function of the structure, the number of blocks, and what a block shares."""

    static_bytes = 0

    def __init__(self, function: Callable[..., None]) -> None:
        self._function = function

    def __call__(self, blocks: int, threads: int, struct: KernelStruct, shared: int = 0) -> None:
        assert blocks > 0 and 1 <= threads <= 1024
        memory = np.full(shared + ALIGNED, 0xFF, dtype=np.uint8)
        start = -memory.ctypes.data % ALIGNED
        pointers = ctypes.c_void_p(struct.ctypes.data), ctypes.c_void_p(memory.ctypes.data + start)
        self._function(pointers[0], ctypes.c_uint32(blocks), pointers[1])


def game_of(case: str) -> Game:
    dice, slots = case.split()
    return Game.parse(dice, slots)
