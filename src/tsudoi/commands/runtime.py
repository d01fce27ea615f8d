"""Starts the runtime for `serve` and `worker`, and creates the first administrator."""

from collections.abc import Iterator
from contextlib import contextmanager

from tsudoi.access.admins import queries, service
from tsudoi.access.admins.errors import BadUsername, UsernameTaken
from tsudoi.commands.data import reachable, require_own_pictures
from tsudoi.commands.refusals import Refusal
from tsudoi.contexts import active_contexts, open_runtime, required_settings
from tsudoi.core import audit
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database
from tsudoi.core.db.schema import require_current
from tsudoi.core.log import configure_logging
from tsudoi.core.passwords import hash_password
from tsudoi.core.private_files import make_private
from tsudoi.core.runtime import Runtime
from tsudoi.core.secrets_check import BadSettings, require_safe
from tsudoi.core.settings import Settings
from tsudoi.shops.secrets.service.keeping import require_readable


@contextmanager
def started(settings: Settings) -> Iterator[Runtime]:
    """The runtime of `serve` and `worker`. It starts only if the settings are safe and the schema is current."""
    require_safe(settings, required_settings(active_contexts(settings)))
    with reachable():
        require_current(settings.database)
    configure_logging(settings.log_level)
    _make_data_dir(settings)
    make_private(settings)
    db = open_database(settings.database, SystemClock(), settings.database_connections, audit_keys=settings.audit_keys)
    try:
        # Before anything runs: secrets that nobody can read any more must not be found out by a customer at the door.
        db.read_now(require_readable, settings)
        _begin_signing(db)
        require_own_pictures(settings, db)
        with open_runtime(settings, db) as runtime:
            yield runtime
    finally:
        db.close()


def _make_data_dir(settings: Settings) -> None:
    """Now, and not with the first picture: from here on a missing folder is a fault, which `/readyz` tells."""
    try:
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Refusal(
            f"{settings.data_dir} を作れません / the folder cannot be made: {error.strerror}\n"
            "→ DATA_DIR と、フォルダーの所有者・権限を確認してください / check DATA_DIR, its owner and its mode"
        ) from error


def _begin_signing(db: Database) -> None:
    try:
        db.write_now(audit.begin_signing)
    except audit.AuditKeyMissing as missing:
        fault = "監査記録は署名されています / the audit trail is signed → その鍵を設定してください / set that key"
        raise BadSettings([f"AUDIT_KEY: {fault}"]) from missing


def seed_first_admin(db: Database, settings: Settings) -> None:
    username, password = settings.admin_username, settings.admin_password
    if not username or not password or db.read_now(queries.account, username) is not None:
        return
    try:
        db.write_now(service.create_admin, username, hash_password(password.get_secret_value()), "start")
    except (BadUsername, UsernameTaken) as refused:
        # Several processes may start at once, and only one of them creates the administrator.
        if isinstance(refused, BadUsername) or refused.existing != username:
            advice = "別の名前にするか、この設定を消してください / choose another name, or remove this setting"
            raise BadSettings([f"ADMIN_USERNAME: {refused.message} → {advice}"]) from refused
