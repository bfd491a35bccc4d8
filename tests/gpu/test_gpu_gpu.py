"""Which device computes, and what is said where there is no GPU."""

import sys

import numpy as np
import pytest

from tentimes18.errors import Ten18Error
from tentimes18.gpu.device import find_gpu, given, on_gpu
from tests.support.host_gpu import HostGpu


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
    found = given(host_gpu, form, {"numbers": array, "nothing": None, "count": 3})
    assert found.tolist() == (array.ctypes.data, 0, 3)
