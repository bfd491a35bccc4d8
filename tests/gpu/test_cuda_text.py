"""The text of a program is whole, and asks for nothing that NVRTC has not."""

import re

import pytest

from tentimes18.gpu.device import FOLDER, program_text

PROGRAMS = ("equilibrium", "many_games", "response", "rule_games", "windows")


@pytest.mark.parametrize("name", PROGRAMS)
def test_each_file_of_a_program_stands_in_it_once(name: str) -> None:
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
