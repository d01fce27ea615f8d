"""The `tsudoi` command. Each command imports what it needs when it runs, so that `--help` stays quick."""

import sys
from typing import Annotated

from cyclopts import App, Parameter

from tsudoi import __version__

app = App(name="tsudoi", help="集い: ask people, get their answers, decide, and tell them.", version=__version__)
admin = App(name="admin", help="Administrators of the office.")
audit = App(name="audit", help="The audit trail.")
app.command(admin)
app.command(audit)


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
    """Start the outside world in a box: LINE as the product sees it, with phones to look at."""
    from tsudoi.commands.sandbox import run_sandbox

    return run_sandbox()


@app.command
def migrate() -> int:
    """Bring the database schema up to date."""
    from tsudoi.commands.migrate import run_migrate

    return run_migrate()


@app.command
def openapi() -> int:
    """Print the API description as JSON."""
    from tsudoi.commands.openapi import print_openapi

    return print_openapi()


@admin.command(name="create")
def admin_create(
    username: str, *, password_stdin: Annotated[bool, Parameter(help="Read the password from standard input.")] = False
) -> int:
    """Make an administrator; asks for the password."""
    from tsudoi.commands.admin import create

    return create(username, from_stdin=password_stdin)


@admin.command(name="token")
def admin_token(username: str) -> int:
    """Make a bearer token for programs that act as this administrator. It is shown once."""
    from tsudoi.commands.admin import token

    return token(username)


@audit.command(name="verify")
def audit_verify() -> int:
    """Check the audit trail's chain: an edited or removed row is found."""
    from tsudoi.commands.audit import verify

    return verify()


def main() -> None:
    from tsudoi.commands.refusals import explained

    sys.exit(explained(app))
