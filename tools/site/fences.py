"""Examples in docstrings, as Markdown that a builder of sites understands."""

__all__ = ["fenced"]


def fenced(text: str) -> str:
    """A docstring with its examples inside of fences; what is code already stays.

    >>> print(fenced("A sum.\\n\\n>>> 1 + 1\\n2\\n\\nThat is all.").replace("`", "'"))
    A sum.
    <BLANKLINE>
    '''pycon
    >>> 1 + 1
    2
    '''
    <BLANKLINE>
    That is all.
    """
    lines: list[str] = []
    is_inside = False
    for line in text.split("\n"):
        if not is_inside and line.startswith(">>> "):
            lines.append("```pycon")
            is_inside = True
        elif is_inside and not line.strip():
            lines.append("```")
            is_inside = False
        lines.append("" if line.strip() == "<BLANKLINE>" and is_inside else line)
    return "\n".join([*lines, "```"] if is_inside else lines)
