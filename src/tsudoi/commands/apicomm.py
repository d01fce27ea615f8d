"""`tsudoi apicomm`: the operations of API_COMM for operators. Standard output has envelopes and nothing else."""

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from tsudoi.commands.data import database_of, read_settings
from tsudoi.commands.refusals import Refusal
from tsudoi.core.errors import DatabaseUnavailable
from tsudoi.core.log import configure_logging
from tsudoi.core.settings import Settings
from tsudoi.gateway.api_comm.operations import OPERATIONS

if TYPE_CHECKING:
    from tsudoi.gateway.api_comm.facade import ApiComm


def run_operations() -> int:
    print("\n".join(OPERATIONS))  # noqa: T201 (the output of the command)
    return 0


def run_call(operation: str | None, request: str | None) -> int:
    if operation is None or request is None:
        raise Refusal(
            "操作名と --request、または --stdin が必要です / an operation with --request, or --stdin is needed"
        )
    with opened_api_comm() as api_comm:
        return 0 if _call(api_comm, operation, _parsed(request)) else 1


def run_calls() -> int:
    """One process for all lines, so that calls of one request share what it has already asked."""
    with opened_api_comm() as api_comm:
        # A list, so that a failure does not keep the lines after it from being run.
        succeeded = [_call_line(api_comm, line) for line in sys.stdin if line.strip()]
    return 0 if all(succeeded) else 1


@contextmanager
def opened_api_comm(settings: Settings | None = None) -> Iterator["ApiComm"]:
    """Without a database too: then every result says that the database is away."""
    from tsudoi.gateway.api_comm.facade import ApiComm
    from tsudoi.gateway.http import HttpGateway
    from tsudoi.shops.api_data.service import api_comm_for, outside_clients

    known = settings or read_settings()
    configure_logging("ERROR")
    with ExitStack() as stack:
        try:
            db = stack.enter_context(database_of(known))
        except Exception as error:
            if not isinstance(error, Refusal) and type(error).__name__ != "SchemaMismatch":
                raise
            print(error, file=sys.stderr)  # noqa: T201 (for the operator)
            gateway = HttpGateway(None)
            stack.callback(gateway.close)
            yield ApiComm(outside_clients(known, None, gateway), _AbsentShopData())
            return
        gateway = HttpGateway(db)
        stack.callback(gateway.close)
        yield api_comm_for(known, db, gateway)


class _AbsentShopData:
    """Stands for the tables while the database cannot be reached: each question fails."""

    def __getattr__(self, name: str) -> Any:
        raise DatabaseUnavailable


def _call_line(api_comm: "ApiComm", line: str) -> bool:
    found = _parsed(line)
    if not isinstance(found, dict):
        return _call(api_comm, "", None)
    operation = found.get("operation")
    return _call(api_comm, operation if isinstance(operation, str) else "", found.get("request"))


def _call(api_comm: "ApiComm", operation: str, request: Any) -> bool:
    result = api_comm.call(operation, request)
    print(json.dumps(result.as_dict(), ensure_ascii=False), flush=True)  # noqa: T201 (the output of the command)
    return result.succeeded


def _parsed(text: str) -> Any:
    """None for what is no JSON: the envelope says that the request is wrong."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
