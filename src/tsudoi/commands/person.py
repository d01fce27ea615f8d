"""`tsudoi person`: export and erase the personal data of one person, over all contexts."""

import os
import sys
from pathlib import Path

import orjson
from rich.console import Console
from rich.table import Table

from tsudoi.access.registration import ActiveContexts
from tsudoi.commands.data import database_of, read_settings
from tsudoi.commands.refusals import Refusal
from tsudoi.contexts import CONTEXTS
from tsudoi.core.command_line import print_table
from tsudoi.core.errors import Problem
from tsudoi.core.person_data import ErasureOrder
from tsudoi.core.person_records import RecordKey, RecordKind
from tsudoi.roster.personal_data import queries, service
from tsudoi.roster.personal_data.schemas import ErasurePlan

_ACTOR = "cli"
_FATES = {"blanked": "名前や本文を消す / blanked", "deleted": "削除 / deleted", "kept": "残す / kept"}
# Also of parts that are switched off: what they stored is still there.
_EVERYTHING = ActiveContexts(CONTEXTS)


def run_export(kind: RecordKind, record_id: str, out: Path | None) -> int:
    key = RecordKey(kind, record_id)
    with database_of(read_settings()) as db:
        try:
            found = db.read_now(queries.export_of, _EVERYTHING.person_sources, _EVERYTHING.person_tables, key)
            db.write_now(service.note_export, key, _ACTOR)
        except Problem as problem:
            raise Refusal(problem.message) from problem
    text = orjson.dumps(found, option=orjson.OPT_INDENT_2).decode()
    if out is None:
        sys.stdout.write(f"{text}\n")
        return 0
    try:
        with os.fdopen(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(f"{text}\n")
    except OSError as failed:
        raise Refusal(f"{out} に書けません / cannot be written: {failed.strerror}") from failed
    return 0


def run_erase(kind: RecordKind, record_id: str, reason: str | None, *, yes: bool) -> int:
    key, sources, tables = RecordKey(kind, record_id), _EVERYTHING.person_sources, _EVERYTHING.person_tables
    if yes and not (reason and reason.strip()):
        raise Refusal("--reason に理由を入力してください / give a reason")
    with database_of(read_settings()) as db:
        try:
            if not yes:
                _show(db.read_now(queries.erasure_plan, sources, tables, key))
                _say("何も変更していません。実行するには --yes --reason … を付けてください / nothing was changed")
                return 0
            order = ErasureOrder((reason or "").strip(), _ACTOR)
            _show(db.write_now(service.erase, sources, tables, key, order))
        except Problem as problem:
            raise Refusal(problem.message) from problem
    _say("個人データを消去しました。操作履歴と過去のバックアップには残っています / erased; trail and backups keep it")
    return 0


def _show(plan: ErasurePlan) -> None:
    table = Table("記録 / table", "件数 / rows", "消去すると / fate")
    for one in plan.tables:
        table.add_row(f"{one.title} ({one.table})", str(one.rows), _FATES[one.fate])
    console = Console(highlight=False, soft_wrap=True)
    console.print(", ".join(f"{one.kind}:{one.id} {one.name}" for one in plan.records), markup=False)
    print_table(table)
    for obstacle in plan.obstacles:
        console.print(f"! {obstacle}", markup=False)
    if plan.shared_line:
        console.print(
            "LINEの記録は、ほかの方の記録も使っているため残ります / the LINE user stays: others use it", markup=False
        )


def _say(text: str) -> None:
    Console(highlight=False, soft_wrap=True).print(text, markup=False)
