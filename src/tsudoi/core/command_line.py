"""The `tsudoi` command as a person has to type it on this machine, and the tables that it prints."""

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

# Everybody on the machine has these folders on the PATH. The guide puts a link to the command into the first.
_FOR_EVERYBODY = os.pathsep.join(("/usr/local/bin", "/usr/bin"))
_IN_A_CHECKOUT = Path(".venv/bin/tsudoi")


def tsudoi_command() -> str:
    """The demo sets `TSUDOI_COMMAND`, because a second terminal does not have the settings of the demo.

    The command is never an absolute path, because public pages show it.
    """
    found = str(_IN_A_CHECKOUT) if _IN_A_CHECKOUT.exists() and not _is_for_everybody() else "tsudoi"
    return os.environ.get("TSUDOI_COMMAND") or found


def _is_for_everybody() -> bool:
    """Whether `tsudoi`, typed in any folder, starts this program."""
    linked = shutil.which("tsudoi", path=_FOR_EVERYBODY)
    return linked is not None and Path(linked).resolve() == Path(sys.executable).with_name("tsudoi").resolve()


def print_table(table: "Table") -> None:
    """Without cutting a value: a long one goes on in the next line of its cell, and a file or a pipe has no width."""
    from rich.console import Console  # noqa: PLC0415 (the server shows no tables)

    for column in table.columns:
        column.overflow = "fold"
    console = Console(highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console = Console(highlight=False, width=1000)
    console.print(table)
