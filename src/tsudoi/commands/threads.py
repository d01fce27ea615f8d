"""`tsudoi threads clean-orphans`: removes rows of document 001 that belong to no thread."""

import sys

from tsudoi.commands.data import database_of, read_settings
from tsudoi.scheduling.thread.service import count_orphans, remove_orphans


def run_clean_orphans(*, dry_run: bool) -> int:
    with database_of(read_settings()) as db:
        found = db.read_now(count_orphans) if dry_run else db.write_now(remove_orphans)
    for table, number in found.tables.items():
        print(f"{table}: {number}")  # noqa: T201 (the output of the command)
    if found.kept:
        print(  # noqa: T201
            f"決定済みの日程が、親のない候補日 {found.kept} 件を指しています。削除しませんでした / "
            f"{found.kept} slots without a thread are kept, because a decision names them",
            file=sys.stderr,
        )
    return 0
