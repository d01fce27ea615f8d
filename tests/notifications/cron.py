"""`tsudoi notifications send` on the database of a clinic, in this process or in one of its own."""

import subprocess
import sys
from pathlib import Path

from tests.factories.processes import environment
from tests.factories.terminal import Done, Terminal
from tests.notifications.clinic import Clinic

_BOOKING = {
    "JWT_SECRET": "k7Qf2mX9vB4tR8wZ1cN6yH3jL5pD0sGa",
    "REFRESH_SECRET": "e3Wq8nT5uK1xV7bM4zJ9rF2hC6yL0oPi",
    "SECURITY_PIN_PEPPER": "a9Lm4kV2xT7qR5nB8wZ3cY6jH1pD0fGs",
}
ALIAS = ("-m", "app_v2.notifications.cron.send_pending_notifications")
COMMAND = ("-m", "tsudoi", "notifications", "send")


class Cron:
    """Runs the command with the settings of the product that the clinic belongs to."""

    def __init__(self, clinic: Clinic, url: str, folder: Path, terminal: Terminal) -> None:
        self.clinic, self.folder, self._terminal = clinic, folder, terminal
        base = clinic.line.url
        self.settings = {**_BOOKING, "DATABASE_URL": url, "LINE_API_BASE": base, "LINE_DATA_API_BASE": base}

    def __call__(self, *arguments: str, **settings: str) -> Done:
        return self._terminal("notifications", "send", *arguments, **{**self.settings, **settings})

    def process(self, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """To its end. `words`: how the command is named, for the interpreter."""
        return subprocess.run(
            [sys.executable, *words],
            env=self.environment(**settings),
            capture_output=True,
            text=True,
            check=False,
            timeout=110,
            cwd=self.folder,
        )

    def started(self, *arguments: str, **settings: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, *COMMAND, *arguments],
            env=self.environment(**settings),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def environment(self, **settings: str) -> dict[str, str]:
        return environment(self.folder, **{**self.settings, **settings})
