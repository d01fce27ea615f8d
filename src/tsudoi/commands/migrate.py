"""`tsudoi migrate`: a backup of what is there, then the schema that this program needs."""

from rich.console import Console
from sqlalchemy.exc import DBAPIError

from tsudoi.commands.backup import say_backup
from tsudoi.commands.data import reachable, read_settings
from tsudoi.commands.refusals import Refusal
from tsudoi.core.backup.making import make_backup
from tsudoi.core.backup.manifest import BadBackup
from tsudoi.core.clock import SystemClock
from tsudoi.core.command_line import tsudoi_command
from tsudoi.core.db.failures import lost_connection
from tsudoi.core.db.schema import found_version, migrate
from tsudoi.core.db.version import wanted_version
from tsudoi.core.private_files import make_private
from tsudoi.core.settings import Settings


def run_migrate(*, backup: bool, new_database: bool = False) -> int:
    settings, console = read_settings(new_database=new_database), Console()
    with reachable():
        before = found_version(settings.database)
    if before == wanted_version():
        console.print(f"スキーマは最新です / schema is up to date: {before}")
        return 0
    if before is not None and backup:
        _back_up(settings)
    _migrate(settings.database)
    make_private(settings)
    console.print(f"スキーマを更新しました / schema updated: {before or '-'} → {wanted_version()}")
    return 0


def _migrate(url: str) -> None:
    try:
        migrate(url)
    except DBAPIError as error:
        if not lost_connection(error):
            raise
        raise Refusal(
            "更新の途中で、データベースが応答しなくなりました。更新は1つのトランザクションなので、途中の状態は残りません。\n"
            "The database stopped to answer. The update is one transaction, so that nothing is half done.\n"
            f"→ {tsudoi_command()} migrate"
        ) from error


def _back_up(settings: Settings) -> None:
    """Migrations only go forward, so that this file is the way back."""
    try:
        say_backup(make_backup(settings, SystemClock()))
    except BadBackup as bad:
        raise Refusal(
            f"{bad}\n"
            "更新の前のバックアップを作れなかったため、何も変更していません。\n"
            "Nothing was changed, because the backup before the update failed.\n"
            f"→ {tsudoi_command()} migrate --no-backup"
        ) from bad
