"""The `tsudoi` command as a person has to type it on this machine. Screens and messages show it."""

import os
import shutil
import sys
from pathlib import Path

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
