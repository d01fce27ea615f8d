"""How a person types the `tsudoi` command here. Screens and messages show it, and what they show must work."""

import os
from pathlib import Path

_IN_A_CHECKOUT = Path(".venv/bin/tsudoi")


def tsudoi_command() -> str:
    """The demo says it by `TSUDOI_COMMAND`, because its settings are not those of a second terminal.

    It is never an absolute path, because pages that everybody can read show it.
    """
    found = str(_IN_A_CHECKOUT) if _IN_A_CHECKOUT.exists() else "tsudoi"
    return os.environ.get("TSUDOI_COMMAND") or found
