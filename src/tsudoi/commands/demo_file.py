"""The file with the settings of a running demo, for commands in another terminal.

The demo holds a lock on the file. The system releases the lock however the demo ends, so a file without a lock is stale
and is ignored. A process id would not be safe, because another process may get the same id.
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
# `data_dir` selects the file, and `log_level` does not change the data.
_NEVER_CONTRADICT = frozenset({"data_dir", "log_level"})
# A command that is typed beside the demo may set these besides the demo's settings.
_FOR_ONE_COMMAND = frozenset({"notification_cron_dry_run"})


@contextmanager
def demo_file(data_dir: Path, environment: dict[str, str]) -> Iterator[None]:
    """Keep the file during the block. Raises `Refusal` if another demo runs in the folder."""
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
    """The settings of the demo only; `.env` and the environment are ignored."""
    return Settings(_env_file=None, **{name.lower(): value for name, value in environment.items()})


def contradicts(own: Settings, demo: Settings) -> bool:
    """Whether the user has set a value that differs from the demo's; then the user's settings are used."""
    mine = own.model_fields_set - _NEVER_CONTRADICT - _FOR_ONE_COMMAND
    return any(getattr(own, name) != getattr(demo, name) for name in mine)


def for_this_command(own: Settings, demo: Settings) -> Settings:
    """The settings of the demo, with those that the user has set for one command."""
    return demo.model_copy(update={name: getattr(own, name) for name in own.model_fields_set & _FOR_ONE_COMMAND})
