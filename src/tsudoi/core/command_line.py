"""How a person types the `tsudoi` command here. Screens and messages show it, and what they show must work."""

import os
import shlex
import shutil
import sys
from pathlib import Path


def tsudoi_command() -> str:
    """The demo says it by `TSUDOI_COMMAND`, because its settings are not those of a second terminal."""
    return os.environ.get("TSUDOI_COMMAND") or _found()


def _found() -> str:
    """`.venv/bin/tsudoi` in the folder of a checkout; `tsudoi` where it is installed; else its whole path."""
    script = Path(sys.executable or "python").with_name("tsudoi")
    if not script.exists():
        return "tsudoi"
    if script.is_relative_to(Path.cwd()):
        return shlex.quote(str(script.relative_to(Path.cwd())))
    return "tsudoi" if shutil.which("tsudoi") else shlex.quote(str(script))
