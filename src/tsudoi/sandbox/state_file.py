"""Keeps the state of the sandbox in a file, so that the demo comes back as it was."""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator
from pathlib import Path

from tsudoi.sandbox.snapshot import dump, restore
from tsudoi.sandbox.state import World

# The file is written this long after a change. A process that is killed loses no more than that.
DELAY_SECONDS = 0.5
# With a hundred thousand friends a snapshot takes long; it may then take this share of the time, and no more.
_SHARE = 0.1

_log = logging.getLogger(__name__)


class StateFile:
    """The file of one world: read once at the start, written after changes and at the end."""

    def __init__(self, world: World, path: Path) -> None:
        self._world = world
        self._path = path
        self._delay = DELAY_SECONDS

    def load(self) -> None:
        """A file that cannot be read is left aside: a demo that starts empty is better than one that does not start."""
        if not self._path.exists():
            return
        try:
            restore(self._world, self._path.read_bytes())
        except (OSError, ValueError, KeyError, TypeError) as error:
            _log.warning("The sandbox starts empty, because %s cannot be read: %s", self._path, error)

    def save(self) -> None:
        """Readers find the old file or the new one, never a half: the new one is renamed when it is complete."""
        started = time.perf_counter()
        self._world.changed.clear()
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        complete = self._path.with_suffix(".new")
        complete.write_bytes(dump(self._world))
        complete.replace(self._path)
        self._delay = max(DELAY_SECONDS, (time.perf_counter() - started) / _SHARE)

    async def keep(self) -> None:
        """Runs beside the server until it is cancelled, and saves a last time then."""
        try:
            while True:
                await self._world.changed.wait()
                await asyncio.sleep(self._delay)
                self._save_or_warn()
        finally:
            self._save_or_warn()

    def _save_or_warn(self) -> None:
        """A full disk must not stop the sandbox."""
        try:
            self.save()
        except OSError as error:
            _log.warning("The state of the sandbox is not saved: %s", error)


@contextlib.asynccontextmanager
async def keeping(state_file: StateFile | None) -> AsyncIterator[None]:
    """Saves until the block ends; without a file nothing is kept."""
    if state_file is None:
        yield
        return
    task = asyncio.create_task(state_file.keep())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
