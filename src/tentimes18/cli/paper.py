"""`ten18 paper`."""

import typer


def register(app: typer.Typer) -> None:
    pass
