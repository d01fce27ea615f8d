"""The `tsudoi` command. Each command imports what it needs when it runs, so that `--help` stays quick."""

import gc
import os
import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter
from cyclopts.validators import Number

from tsudoi import __version__
from tsudoi.commands.data_app import NewDatabase, backup, confirm_copy, media, person, restore

app = App(name="tsudoi", help="集い: ask people, get their answers, decide, and tell them.", version=__version__)
admin = App(name="admin", help="Administrators of the office.")
audit = App(name="audit", help="The audit trail.")
app.command(admin)
app.command(audit)
members = App(name="members", help="The roster of members.")
app.command(members)
richmenu = App(name="richmenu", help="The menu under every LINE chat.")
logs = App(name="logs", help="The NDJSON logs: pushes, webhooks, registrations.")
app.command(richmenu)
app.command(logs)
booking = App(name="booking", help="Staff, slots and reservations.")
app.command(booking)
notifications = App(name="notifications", help="Notices about reservations.")
app.command(notifications)
payments = App(name="payments", help="Payments by Stripe.")
app.command(payments)
mail = App(name="mail", help="Mails that came back.")
app.command(mail)
threads = App(name="threads", help="Threads that find a date.")
app.command(threads)
apicomm = App(name="apicomm", help="Operations on outside systems: STORES, RemoteLOCK, escalations.")
app.command(apicomm)
secrets = App(name="secrets", help="Secrets of shops, such as their tokens for STORES.")
app.command(secrets)

app.command(person)
app.command(media)
app.command(backup)
app.command(restore)
app.command(confirm_copy, name="confirm-copy")

PasswordFromStdin = Annotated[bool, Parameter(help="Read the password from standard input.")]
LogKind = Annotated[Literal["push", "webhook", "register"] | None, Parameter(help="Only this kind of log.")]
FirstDay = Annotated[str | None, Parameter(name="--from", help="First day, YYYY-MM-DD in Japan.")]
LastDay = Annotated[str | None, Parameter(name="--to", help="Last day, YYYY-MM-DD in Japan.")]


@app.command
def demo() -> int:
    """Start the product with the sandbox and demo data: no LINE account needed."""
    from tsudoi.commands.demo import run_demo

    return run_demo()


@app.command
def serve() -> int:
    """Start the web server (and, on SQLite, the worker inside it)."""
    from tsudoi.commands.serve import run_serve

    return run_serve()


@app.command
def worker() -> int:
    """Start a worker process (for PostgreSQL; on SQLite it runs inside `serve`)."""
    from tsudoi.commands.worker import run_worker

    return run_worker()


@app.command
def sandbox() -> int:
    """Start the sandbox: a simulated LINE with phones that you can look at."""
    from tsudoi.commands.sandbox import run_sandbox

    return run_sandbox()


@app.command
def migrate(
    *,
    backup: Annotated[bool, Parameter(help="Make a backup first, where there is something to migrate.")] = True,
    new_database: NewDatabase = False,
) -> int:
    """Bring the database schema up to date."""
    from tsudoi.commands.migrate import run_migrate

    return run_migrate(backup=backup, new_database=new_database)


@app.command
def openapi() -> int:
    """Print the API description as JSON."""
    from tsudoi.commands.openapi import print_openapi

    return print_openapi()


@admin.command(name="create")
def admin_create(username: str, *, password_stdin: PasswordFromStdin = False) -> int:
    """Create an administrator; asks for the password."""
    from tsudoi.commands.admin import create

    return create(username, from_stdin=password_stdin)


@admin.command(name="token")
def admin_token(
    username: str, *, label: Annotated[str | None, Parameter(help="What it is for, as the lists show it.")] = None
) -> int:
    """Create a bearer token for programs that act as this administrator. It is shown once."""
    from tsudoi.commands.admin import token

    return token(username, label)


@admin.command(name="list")
def admin_list(username: str | None = None) -> int:
    """List the administrators and their state; with a name, the open sessions and tokens of that one."""
    from tsudoi.commands.admin import show_all, show_one

    return show_all() if username is None else show_one(username)


@admin.command(name="disable")
def admin_disable(username: str) -> int:
    """Disable an administrator, and end their sessions and tokens at once."""
    from tsudoi.commands.admin import disable

    return disable(username)


@admin.command(name="enable")
def admin_enable(username: str) -> int:
    """Let a disabled administrator log in again."""
    from tsudoi.commands.admin import enable

    return enable(username)


@admin.command(name="revoke")
def admin_revoke(
    username: str,
    *,
    session: Annotated[str | None, Parameter(help="Only the one whose id begins so, see `admin list NAME`.")] = None,
) -> int:
    """End the sessions and tokens of an administrator, who may log in again."""
    from tsudoi.commands.admin import revoke

    return revoke(username, session)


@admin.command(name="passwd")
def admin_passwd(
    username: str,
    *,
    password_stdin: PasswordFromStdin = False,
    one_time: Annotated[
        bool, Parameter(help="Print a password that has to be changed at the next log-in.", negative="")
    ] = False,
) -> int:
    """Set a new password; ends the administrator's sessions and tokens."""
    from tsudoi.commands.admin import passwd

    return passwd(username, from_stdin=password_stdin, one_time=one_time)


@admin.command(name="unlock")
def admin_unlock(username: str) -> int:
    """Let an administrator log in at once who typed too many wrong passwords."""
    from tsudoi.commands.admin import unlock

    return unlock(username)


@admin.command(name="totp-reset")
def admin_totp_reset(username: str) -> int:
    """Remove the second factor of an administrator who has lost the telephone and the recovery codes."""
    from tsudoi.commands.admin import totp_reset

    return totp_reset(username)


@audit.command(name="verify")
def audit_verify() -> int:
    """Check the hash chain of the audit trail; finds rows that were edited or removed."""
    from tsudoi.commands.audit import verify

    return verify()


@booking.command(name="mask")
def booking_mask(
    staff_id: Annotated[str, Parameter(help="The person's number.")],
    *,
    reason: Annotated[str, Parameter(help="Why; the audit trail keeps it.")],
) -> int:
    """Remove names, birth date and patient id of a person who left, for good; reservations stay."""
    from tsudoi.commands.staff_masking import mask

    return mask(staff_id, reason)


@booking.command(name="check")
def booking_check() -> int:
    """Prove that the count of every slot equals its live reservations; names each slot at which it does not."""
    from tsudoi.commands.booking import check

    return check()


@booking.command(name="show")
def booking_show(
    number: Annotated[str | None, Parameter(help="A reservation's number or a person's number.")] = None,
    *,
    reservation: Annotated[str | None, Parameter(help="Only the reservation with this number.")] = None,
    staff: Annotated[str | None, Parameter(help="Only the person with this number.")] = None,
) -> int:
    """Show everything that happened to a reservation, or what is stored about a staff person.

    A number that belongs to both a reservation and a person shows both.
    """
    from tsudoi.commands.booking import show

    return show(reservation or (None if staff else number), staff or (None if reservation else number))


@notifications.command(name="send")
def notifications_send(
    *,
    limit: Annotated[int | None, Parameter(help="Try so many notices at most.", validator=Number(gte=1))] = None,
    every: Annotated[float | None, Parameter(help="Repeat after so many seconds.", validator=Number(gte=1))] = None,
    json: Annotated[bool, Parameter(help="Print the result as JSON.", negative="")] = False,
) -> int:
    """Send the notices that are due. NOTIFICATION_CRON_DRY_RUN=true only lists them."""
    from tsudoi.commands.notifications import SendArguments, run_send

    return run_send(SendArguments(limit, every, json))


@payments.command(name="reconcile")
def payments_reconcile(
    *, json: Annotated[bool, Parameter(help="Print the result as JSON.", negative="")] = False
) -> int:
    """Ask Stripe about payments and refunds that a lost webhook left open, and apply what it says."""
    from tsudoi.commands.payments import run_reconcile

    return run_reconcile(as_json=json)


@mail.command(name="bounce")
def mail_bounce(
    *,
    maildir: Annotated[Path | None, Parameter(help="Read the new messages of this folder instead.")] = None,
) -> int:
    """Note a mail that came back: reads one message from standard input, as a mail server hands it to a command."""
    from tsudoi.commands.mail import run_bounce

    return run_bounce(maildir)


@mail.command(name="forgive")
def mail_forgive(address: str) -> int:
    """Send mails to an address again to which they could not be delivered."""
    from tsudoi.commands.mail import run_forgive

    return run_forgive(address)


@threads.command(name="clean-orphans")
def threads_clean_orphans(*, dry_run: Annotated[bool, Parameter(help="Only count them.", negative="")] = False) -> int:
    """Remove slots, rules, invitations, answers and decisions whose thread does not exist."""
    from tsudoi.commands.threads import run_clean_orphans

    return run_clean_orphans(dry_run=dry_run)


@apicomm.command(name="operations")
def apicomm_operations() -> int:
    """List the names of the operations."""
    from tsudoi.commands.apicomm import run_operations

    return run_operations()


@apicomm.command(name="call")
def apicomm_call(
    operation: Annotated[str | None, Parameter(help="The name of the operation.")] = None,
    *,
    request: Annotated[str | None, Parameter(help="The request as JSON.")] = None,
    stdin: Annotated[bool, Parameter(help="Read a call from each line: operation, request.", negative="")] = False,
) -> int:
    """Run an operation and print its result as JSON. The exit code is 0 for success and 1 for an error."""
    from tsudoi.commands.apicomm import run_call, run_calls

    return run_calls() if stdin else run_call(operation, request)


@app.command
def connectivity() -> int:
    """Ask the outside systems whether they answer. The exit code is 0 (all well), 1 (warnings) or 2 (failures)."""
    from tsudoi.commands.connectivity import run_connectivity

    return run_connectivity()


@secrets.command(name="set")
def secrets_set(
    shop_code: Annotated[str, Parameter(help="The shop's code.")],
    key: Annotated[Literal["STORES_API_TOKEN"], Parameter(help="The name of the secret.")],
    *,
    value_stdin: Annotated[bool, Parameter(help="Read the value from standard input.", negative="")] = False,
) -> int:
    """Set a secret of a shop; asks for the value without showing it."""
    from tsudoi.commands.secrets import run_set

    return run_set(shop_code, key, from_stdin=value_stdin)


@secrets.command(name="rotate")
def secrets_rotate() -> int:
    """Encrypt everything again with the first key of SHOP_SECRETS_KEYS. It may be repeated at any time."""
    from tsudoi.commands.secrets import run_rotate

    return run_rotate()


@secrets.command(name="list")
def secrets_list() -> int:
    """List which shop has which secret, how old it is, and which key sealed it. Values are never shown."""
    from tsudoi.commands.secrets import run_list

    return run_list()


@app.command
def doctor() -> int:
    """Check the configuration, and print how to fix what is wrong."""
    from tsudoi.commands.doctor import run_doctor

    return run_doctor()


@richmenu.command(name="publish")
def richmenu_publish(
    *,
    news_url: Annotated[str | None, Parameter(help="Where お知らせ leads, instead of NOTION_NEWS_URL.")] = None,
    without_staff: Annotated[bool, Parameter(help="Without 職員予約, also where booking is on.", negative=())] = False,
    dry_run: Annotated[bool, Parameter(help="Write the picture, print the JSON, send nothing.")] = False,
    out: Annotated[Path, Parameter(help="Where --dry-run writes the picture.")] = Path("richmenu.png"),
) -> int:
    """Draw the menu, with 職員予約 where booking is on and 本人確認 where shops are, publish it to all users, and
    remove our older menus.
    """
    from tsudoi.commands.richmenu import run_publish

    return run_publish(news_url, out, dry_run=dry_run, without_staff=without_staff)


@logs.command(name="list")
def logs_list(*, kind: LogKind = None, first: FirstDay = None, last: LastDay = None) -> int:
    """List the log files."""
    from tsudoi.commands.logs import log_filter, run_list

    return run_list(log_filter(kind, first, last))


@logs.command(name="pull")
def logs_pull(
    *,
    kind: LogKind = None,
    first: FirstDay = None,
    last: LastDay = None,
    out: Annotated[Path | None, Parameter(help="Write to this file instead of standard output.")] = None,
) -> int:
    """Print the lines of the chosen files in the order of time."""
    from tsudoi.commands.logs import log_filter, run_pull

    return run_pull(log_filter(kind, first, last), out)


@members.command(name="sync")
def members_sync(
    *,
    file: Annotated[Path | None, Parameter(help="A CSV or XLSX file instead of the Google sheet.")] = None,
    dry_run: Annotated[bool, Parameter(help="Only show what would happen.", negative="")] = False,
    force: Annotated[bool, Parameter(help="Even if more than a fifth of the members leave.", negative="")] = False,
    write_back: Annotated[bool, Parameter(help="Fill LINE ids into the sheet's empty cells.", negative="")] = False,
    verbose: Annotated[bool, Parameter(help="List everything, however long.", negative="")] = False,
) -> int:
    """Update the roster from the sheet `Members`: new, changed and withdrawn members."""
    from tsudoi.commands.members import SyncArguments, run_sync

    return run_sync(SyncArguments(file, dry_run, force, write_back, verbose))


def main(*words: str) -> None:
    """Run what was typed. `words`: a command that has another name besides, and comes before its options."""
    from tsudoi.commands.refusals import run_explained

    # Nothing that a command imports is garbage, and to look through it again and again takes a tenth of its start.
    gc.set_threshold(20_000, 50, 50)
    # Whatever this process and its children create can be read by nobody else.
    os.umask(0o077)
    sys.exit(run_explained(lambda: app([*words, *sys.argv[1:]])))
