"""Commands about data as a whole: backups, and all that is stored about one person. `tsudoi.cli` adds them."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

media = App(name="media", help="The folder of pictures.")
person = App(name="person", help="The personal data of one person, over all parts.")

NewDatabase = Annotated[
    bool,
    Parameter(
        help="Make a SQLite file even if the settings file of this installation names another database.", negative=""
    ),
]
PersonKind = Annotated[Literal["member", "staff", "line", "customer", "address"], Parameter(help="The kind of record.")]
PersonId = Annotated[str, Parameter(help="Its id, as in the address of the person's page: /people/<kind>/<id>.")]


def backup(
    file: Annotated[Path | None, Parameter(help="Where to; BACKUP_DIR if none is given.")] = None,
    *,
    without_missing: Annotated[
        bool, Parameter(help="Accept that pictures are missing which rows name.", negative="")
    ] = False,
) -> int:
    """Copy the database and the media to one file, while the server runs. The settings are not in it."""
    from tsudoi.commands.backup import run_backup

    return run_backup(file, without_missing=without_missing)


def confirm_copy(
    copy_of: Annotated[
        str | None, Parameter(help="The first 8 characters of the id of the original; without it, show what is held.")
    ] = None,
    *,
    release: Annotated[bool, Parameter(help="Send what was waiting in the backup.", negative="")] = False,
    drop: Annotated[bool, Parameter(help="End what was waiting in the backup as not sent.", negative="")] = False,
) -> int:
    """Let a restored copy send again, after you made sure that the original does not run any more."""
    from tsudoi.commands.copies import run_confirm_copy

    return run_confirm_copy(copy_of, release=release, drop=drop)


@media.command(name="adopt")
def media_adopt(
    stamp: Annotated[
        str | None, Parameter(help="The first 8 characters of the id of the database whose pictures they were.")
    ] = None,
) -> int:
    """Let the folder of pictures belong to this database, after a refusal [MEDIA_OF_ANOTHER_DATABASE]."""
    from tsudoi.commands.backup import run_adopt

    return run_adopt(stamp)


def restore(
    file: Annotated[Path, Parameter(help="A file that `tsudoi backup` made.")],
    *,
    force: Annotated[bool, Parameter(help="Replace the data that are there.", negative="")] = False,
    new_database: NewDatabase = False,
) -> int:
    """Put the data of a backup in the place of those that are there. The server must be stopped."""
    from tsudoi.commands.backup import run_restore

    return run_restore(file, force=force, new_database=new_database)


@person.command(name="export")
def person_export(
    kind: PersonKind,
    record_id: PersonId,
    *,
    out: Annotated[Path | None, Parameter(help="Write to this file instead of standard output.")] = None,
) -> int:
    """Write everything that is stored about a person as JSON. It is audited."""
    from tsudoi.commands.person import run_export

    return run_export(kind, record_id, out)


@person.command(name="erase")
def person_erase(
    kind: PersonKind,
    record_id: PersonId,
    *,
    reason: Annotated[str | None, Parameter(help="Why; the audit trail keeps it.")] = None,
    yes: Annotated[
        bool, Parameter(help="Do it. Without this the command only shows what it would do.", negative="")
    ] = False,
) -> int:
    """Show what erasing the personal data of a person would do, and do it with --yes and a reason."""
    from tsudoi.commands.person import run_erase

    return run_erase(kind, record_id, reason, yes=yes)
