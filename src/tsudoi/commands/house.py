"""Putting the parts together for a command, and taking them apart again."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from tsudoi.access.admins import queries, service
from tsudoi.access.admins.errors import UsernameTaken
from tsudoi.commands.data import reachable
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database
from tsudoi.core.db.schema import require_current
from tsudoi.core.log import configure_logging
from tsudoi.core.passwords import hash_password
from tsudoi.core.secrets_check import require_safe
from tsudoi.core.settings import Settings
from tsudoi.gateway.clients.line import LineClient, LineConfig
from tsudoi.gateway.http import HttpGateway
from tsudoi.line.inbox.jobs import Tools


@dataclass(frozen=True, slots=True)
class House:
    settings: Settings
    db: Database
    line: LineClient
    tools: Tools


@contextmanager
def open_house(settings: Settings) -> Iterator[House]:
    """For `serve` and `worker`: everything, and only when settings and schema are as they should be."""
    require_safe(settings)
    with reachable():
        require_current(settings.database)
    configure_logging(settings.log_level)
    db = open_database(settings.database, SystemClock(), settings.database_connections)
    gateway = HttpGateway(db)
    try:
        line = LineClient(LineConfig.of(settings), gateway)
        yield House(settings, db, line, Tools(db, line, settings))
    finally:
        gateway.close()
        db.close()


def seed_first_admin(db: Database, settings: Settings) -> None:
    username, password = settings.admin_username, settings.admin_password
    if not username or not password or db.read_now(queries.credentials, username) is not None:
        return
    # Several processes may start at once; whichever is second finds the work done.
    with suppress(UsernameTaken):
        db.write_now(service.create_admin, username, hash_password(password.get_secret_value()), "start")
