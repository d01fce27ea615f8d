"""The file that the demo keeps while it runs: its settings, for commands in another terminal.

The demo holds a lock on the file. The system releases it however the demo ends, so a file without a lock is stale and
is not believed; a process id could have been given to another process meanwhile.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from tsudoi.commands.refusals import Refusal
from tsudoi.core.settings import Settings

NAME = "demo-is-running.json"
# Where the data is says which file to read, and how much is logged changes nothing.
_NEVER_CONTRADICT = frozenset({"data_dir", "log_level"})


@contextmanager
def demo_file(data_dir: Path, environment: dict[str, str]) -> Iterator[None]:
    """Written for the time of the block. Refuses while another demo runs in the folder."""
    path = data_dir / NAME
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Refusal(
                f"{data_dir} のデモはすでに動いています / a demo is already running in {data_dir}\n"
                "→ その端末で Ctrl-C を押して止めてください / stop it with Ctrl-C in its terminal"
            ) from error
        file.truncate()
        file.write(orjson.dumps(environment))
        file.flush()
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def settings_of_running_demo(data_dir: Path) -> Settings | None:
    try:
        with (data_dir / NAME).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return demo_settings(orjson.loads((data_dir / NAME).read_bytes()))
    except OSError:
        return None
    return None


def demo_settings(environment: dict[str, Any]) -> Settings:
    """The demo's settings alone: neither `.env` nor the environment has a say."""
    return Settings(_env_file=None, **{name.lower(): value for name, value in environment.items()})


def contradicts(own: Settings, demo: Settings) -> bool:
    """Whether somebody has set something that the demo has not: then they mean their own settings."""
    mine = own.model_fields_set - _NEVER_CONTRADICT
    return any(getattr(own, name) != getattr(demo, name) for name in mine)
