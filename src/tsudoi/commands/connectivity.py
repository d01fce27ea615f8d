"""`tsudoi connectivity`: whether the outside systems answer, as a table. It asks STORES once and sends nothing."""

from enum import IntEnum
from typing import Any

from rich.console import Console
from rich.table import Table

from tsudoi.commands.apicomm import opened_api_comm
from tsudoi.core.command_line import print_table
from tsudoi.gateway.api_comm.results import ApiCommRequest

_MARKS = {"ok": "○ ok", "warn": "△ warn", "fail": "× fail", "stub": "－ stub"}


class ConnectivityExit(IntEnum):
    """The exit codes of the command."""

    ALL_WELL = 0
    WARNINGS = 1
    FAILURES = 2


_EXITS = {"HEALTH_OK": ConnectivityExit.ALL_WELL, "HEALTH_WARN": ConnectivityExit.WARNINGS}


def run_connectivity() -> int:
    with opened_api_comm() as api_comm:
        request = ApiCommRequest("ai", "system", None)
        result = api_comm.call("system.check_connectivity", request, asked_by="command")
    _show(result.code, result.message, result.data or {})
    return _EXITS.get(result.code, ConnectivityExit.FAILURES)


def _show(code: str, message: str | None, results: dict[str, Any]) -> None:
    table = Table("外部システム", "状態", "応答時間", "説明")
    for name, one in results.items():
        latency = one.get("latency_ms")
        table.add_row(name, _MARKS[one["status"]], "" if latency is None else f"{latency} ms", one["message"])
    console = Console(highlight=False, markup=False, width=100)
    print_table(table)
    console.print(f"{code} {message or ''}".rstrip())
