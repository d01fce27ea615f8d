"""The `tsudoi` command as a person has to type it on this machine. Screens and messages show it."""

import os
from pathlib import Path

_IN_A_CHECKOUT = Path(".venv/bin/tsudoi")


def tsudoi_command() -> str:
    """The demo sets `TSUDOI_COMMAND`, because a second terminal does not have the settings of the demo.

    The command is never an absolute path, because public pages show it.
    """
    found = str(_IN_A_CHECKOUT) if _IN_A_CHECKOUT.exists() else "tsudoi"
    return os.environ.get("TSUDOI_COMMAND") or found
