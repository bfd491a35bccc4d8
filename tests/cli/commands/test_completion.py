"""`ten18 completion`: a script for each shell."""

import pytest

from tests.support.command import Run, problems


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell(run_here: Run, shell: str) -> None:
    result = run_here("completion", shell)
    assert (result.code, result.err) == (0, "")
    assert f"_TEN18_COMPLETE=complete_{shell}" in result.out
    assert run_here("completion", SHELL=f"/usr/bin/{shell}") == result


@pytest.mark.parametrize(("arguments", "shell"), [(["tcsh"], "bash"), ([], "/bin/tcsh"), ([], ""), ([""], "bash")])
def test_another_shell_is_refused(run_here: Run, arguments: list[str], shell: str) -> None:
    assert problems(run_here("completion", *arguments, SHELL=shell), "accepted: bash, zsh, fish") == []
