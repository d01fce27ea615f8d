"""How a call to an outside system is shown. Pure."""

import shlex
from typing import Literal

CallOutcome = Literal["ok", "failed"]


def curl_command(method: str, url: str, body: str | None) -> str:
    """A command line to copy. The log is masked, so secrets and personal data have to be filled in by hand."""
    parts = ["curl", "-X", method, url]
    if body is not None:
        parts += ["--data", body]
    return shlex.join(parts)
