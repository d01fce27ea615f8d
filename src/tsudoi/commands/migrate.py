from rich.console import Console

from tsudoi.commands.data import reachable, read_settings
from tsudoi.core.db.schema import found_version, migrate
from tsudoi.core.db.version import wanted_version


def run_migrate() -> int:
    settings, console = read_settings(), Console()
    with reachable():
        before = found_version(settings.database)
    if before == wanted_version():
        console.print(f"スキーマは最新です / schema is up to date: {before}")
        return 0
    migrate(settings.database)
    console.print(f"スキーマを更新しました / schema updated: {before or '-'} → {wanted_version()}")
    return 0
