"""The `tsudoi` command as a person has to type it on this machine, and the tables that it prints."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

_IN_A_CHECKOUT = Path(".venv/bin/tsudoi")


def tsudoi_command() -> str:
    """The demo sets `TSUDOI_COMMAND`, because a second terminal does not have the settings of the demo.

    The command is never an absolute path, because public pages show it.
    """
    found = str(_IN_A_CHECKOUT) if _IN_A_CHECKOUT.exists() else "tsudoi"
    return os.environ.get("TSUDOI_COMMAND") or found


def print_table(table: "Table") -> None:
    """Without cutting a value: a long one goes on in the next line of its cell, and a file or a pipe has no width."""
    from rich.console import Console  # noqa: PLC0415 (the server shows no tables)

    for column in table.columns:
        column.overflow = "fold"
    console = Console(highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console = Console(highlight=False, width=1000)
    console.print(table)
