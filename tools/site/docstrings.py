"""What the builder's reader of sources does with each docstring; it is loaded by that program alone."""

from typing import Any

from griffe import Extension, Object

from tools.site.fences import fenced


class Docstrings(Extension):  # type: ignore[misc]  # it is installed for the site alone
    """Has examples shown as such."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Change the docstring of a module, class, function or name."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)
