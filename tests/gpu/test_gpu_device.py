"""Which device computes, what is said where there is no GPU, and the text of a program: whole, and fit for NVRTC."""

import re
import sys

import numpy as np
import pytest

from tentimes18.errors import Ten18Error
from tentimes18.gpu.device import FOLDER, find_gpu, kernel_struct, on_gpu, program_text
from tests.support.host_gpu import HostGpu

PROGRAMS = ("equilibrium", "many_games", "response", "rule_games", "windows")


def test_without_the_extra_one_line_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)  # as if it were not installed
    find_gpu.cache_clear()
    with pytest.raises(Ten18Error) as caught:
        on_gpu("cuda")
    assert str(caught.value) == "device 'cuda': it needs CuPy, which is not installed: pip install 'tentimes18[gpu]'"
    assert caught.value.field == "device"


def test_a_device_is_the_gpu(with_gpu: HostGpu) -> None:
    assert on_gpu("cuda") is with_gpu
    assert on_gpu("cpu") is None


def test_arrays_become_pointers(host_gpu: HostGpu) -> None:
    array = np.arange(3)
    form = np.dtype([("numbers", "u8"), ("nothing", "u8"), ("count", "u4")], align=True)
    found = kernel_struct(host_gpu, form, {"numbers": array, "nothing": None, "count": 3})
    assert found.tolist() == (array.ctypes.data, 0, 3)


@pytest.mark.parametrize("name", PROGRAMS)
def test_each_file_of_a_program_is_in_it_once(name: str) -> None:
    text = program_text(name)
    assert text.count("#define DEVICE __device__") == 1
    assert '#include "' not in text and "#pragma once" not in text
    assert re.search(r"^KERNEL\(", text, re.MULTILINE)


def test_every_file_is_part_of_a_program() -> None:
    whole = "".join(map(program_text, PROGRAMS))
    for path in FOLDER.glob("*.cuh"):
        first, second = path.read_text(encoding="utf-8").splitlines()[:2]
        assert first.startswith("// ") and first in whole, path.name
        assert second


def test_headers_of_the_system_are_for_cpp_alone() -> None:
    for name in PROGRAMS:
        cuda, _, cpp = program_text(name).partition("#else\n")
        assert "#include <" not in cuda and "#include <cmath>" in cpp
