"""A GPU: its memory and figures, arrays on it, and programs that are compiled when they are first used.

CuPy has NVRTC compile the text (`program_text`), and keeps what comes out in the user's cache, by the text and the
GPU. `Gpu` has the few things that the solvers need, so the tests replace it, compile the same programs as C++, and run
everything in this folder without a GPU.

The text of a CUDA program: a file of this folder, with those that it includes in their places.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tentimes18.errors import Ten18Error, TooLarge
from tentimes18.limits import show_bytes

CPU = "cpu"
CUDA = "cuda"
DEVICES = (CPU, CUDA)
PLAIN_SHARED = 48 * 1024  # that a block may share without asking

Array: TypeAlias = Any
"""An array on the GPU."""
KernelStruct: TypeAlias = NDArray[Any]
"""What a kernel takes: a structure of numbers and pointers."""


class Kernel:
    """A compiled kernel; each of its blocks shares ``static_bytes`` in any case."""

    def __init__(self, function: Any) -> None:
        self._function = function
        self.static_bytes = int(self._function.shared_size_bytes)

    def __call__(self, blocks: int, threads: int, struct: KernelStruct, shared: int = 0) -> None:
        """Start this many blocks, each with this many threads and bytes of shared memory."""
        if shared + self.static_bytes > PLAIN_SHARED:
            self._function.max_dynamic_shared_size_bytes = shared
        self._function((blocks,), (threads,), (struct,), shared_mem=shared)


class Gpu:
    """The GPU that CuPy uses.

    ``xp`` is numpy for arrays on the GPU. The threads of a block can share ``block_shared`` bytes at most, all blocks
    that a multiprocessor has at a time ``shared``.
    """

    def __init__(self, cupy: Any) -> None:
        self.xp = cupy
        facts = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)
        self.name = str(facts["name"].decode())
        self.block_shared = int(facts["sharedMemPerBlockOptin"])
        self.shared = int(facts["sharedMemPerMultiprocessor"])
        self.multiprocessors = int(facts["multiProcessorCount"])
        self._modules: dict[tuple[Any, ...], Any] = {}
        self._kernels: dict[tuple[Any, ...], Kernel] = {}

    def memory_left(self) -> int:
        pool = self.xp.get_default_memory_pool()
        return int(self.xp.cuda.runtime.memGetInfo()[0] + pool.free_bytes())

    def kernel(self, program: str, name: str, /, **constants: int) -> Kernel:
        """A kernel of a program, compiled with these constants."""
        key = program, tuple(constants.items())
        if key not in self._modules:
            options = ("-std=c++17", *(f"-D{constant}={value}" for constant, value in constants.items()))
            if program == "response":  # rounded as on a processor: its numbers are compared for being equal
                options += ("-fmad=false",)
            self._modules[key] = self.xp.RawModule(code=program_text(program), options=options)
        if (*key, name) not in self._kernels:
            self._kernels[*key, name] = Kernel(self._modules[key].get_function(name))
        return self._kernels[*key, name]

    def pointer(self, array: Array) -> int:
        return int(array.data.ptr)

    def to_host(self, array: Array) -> NDArray[Any]:
        """A copy of an array in the memory of the machine."""
        copy: NDArray[Any] = array.get()
        return copy

    def finish(self) -> None:
        self.xp.cuda.Device().synchronize()


def check_gpu_memory(gpu: Gpu, job: str, size: float) -> None:
    """Raise ``TooLarge`` if a job needs more memory than is free on the GPU."""
    if size > (free := gpu.memory_left()):
        raise TooLarge(f"{job} needs {show_bytes(size)} of GPU memory; {show_bytes(free)} are free", field="slots")


def struct_type(wide: str, narrow: str, **first: np.dtype[Any]) -> np.dtype[Any]:
    """A structure as in C: others first, then numbers and pointers of 64 bits by name, then numbers of 32 bits."""
    numbers = [*((name, "u8") for name in wide.split()), *((name, "u4") for name in narrow.split())]
    return np.dtype([*first.items(), *numbers], align=True)


def kernel_struct(gpu: Gpu, dtype: np.dtype[Any], fields: Mapping[str, Any]) -> KernelStruct:
    """A structure for a kernel; arrays on the GPU become pointers, and None a null pointer."""
    struct = np.zeros((), dtype=dtype)
    for name, value in fields.items():
        if value is not None:
            struct[name] = gpu.pointer(value) if isinstance(value, gpu.xp.ndarray) else value
    return struct


def on_gpu(device: str) -> Gpu | None:
    """The GPU for ``cuda``, None for ``cpu``; raises ``Ten18Error`` for other devices or if there is no GPU.

    >>> on_gpu("cpu")
    >>> on_gpu("tpu")
    Traceback (most recent call last):
    tentimes18.errors.Ten18Error: device 'tpu': not known; accepted: cpu, cuda
    """
    if device not in DEVICES:
        raise Ten18Error(f"not known; accepted: {', '.join(DEVICES)}", "device", device)
    return find_gpu() if device == CUDA else None


@cache
def find_gpu() -> Gpu:
    """The GPU of this machine; raises ``Ten18Error`` where there is none, or nothing to use it with."""
    try:
        import cupy
    except ImportError as error:
        problem = "it needs CuPy, which is not installed: pip install 'tentimes18[gpu]'"
        raise Ten18Error(problem, "device", CUDA) from error
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise Ten18Error(f"no NVIDIA GPU can be used here ({error})", "device", CUDA) from error
    if count == 0:
        raise Ten18Error("there is no NVIDIA GPU here", "device", CUDA)
    return Gpu(cupy)


FOLDER = Path(__file__).parent
_INCLUDE = re.compile(r'^#include "([a-z_]+)\.cuh"\n', re.MULTILINE)


@cache
def program_text(name: str) -> str:
    """The text of a program by name, each file of it once: a compiler needs no folder, and its cache sees all of it.

    >>> "KERNEL(solve_pairs" in program_text("equilibrium"), '#include "' in program_text("equilibrium")
    (True, False)
    """
    included: set[str] = set()

    def whole(part: str) -> str:
        if part in included:
            return ""
        included.add(part)
        text = (FOLDER / f"{part}.cuh").read_text(encoding="utf-8").replace("#pragma once\n", "")
        return _INCLUDE.sub(lambda match: whole(match[1]), text)

    return whole(name)
