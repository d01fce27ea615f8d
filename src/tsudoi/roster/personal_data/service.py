from collections.abc import Mapping, Sequence

from tsudoi.core import audit, idempotency
from tsudoi.core.db.interface import Tx
from tsudoi.core.errors import ChangedMeanwhile
from tsudoi.core.person_data import ErasureOrder, PersonTable
from tsudoi.core.person_records import RecordKey
from tsudoi.core.person_sources import PersonSource
from tsudoi.roster.personal_data.errors import CannotErase
from tsudoi.roster.personal_data.queries import PersonFound, plan_of
from tsudoi.roster.personal_data.schemas import ErasurePlan


def note_export(tx: Tx, key: RecordKey, actor: str) -> None:
    audit.record(tx, actor, "PERSON_EXPORT", key.subject)


def erase(
    tx: Tx,
    sources: Mapping[str, PersonSource],
    tables: Sequence[PersonTable],
    key: RecordKey,
    order: ErasureOrder,
    expected_rows: int | None = None,
) -> ErasurePlan:
    """Erase a person over all contexts in one transaction. History counts stay; the audit trail stays as it is."""
    found = PersonFound(tx, sources, key)
    plan = plan_of(tx, tables, found)
    if plan.obstacles:
        raise CannotErase(" ".join(plan.obstacles))
    if expected_rows is not None and expected_rows != sum(table.rows for table in plan.tables):
        raise ChangedMeanwhile
    for table in tables:
        table.erase(tx, found.ids, order)
    ids = found.ids
    principals = {f"line:{one}" for one in ids.line_user_ids} | {f"staff:{one}" for one in ids.staff_uids}
    words = {*ids.line_user_ids, *ids.staff_uids, *ids.addresses}
    words |= {name for record in found.records for name in (record.name, record.kana) if name and len(name) > 1}
    idempotency.forget_person(tx, principals | {f"member:{one}" for one in ids.member_ids}, words)
    counts = {table.table: table.rows for table in plan.tables}
    for record in found.records:
        audit.record(tx, order.actor, "PERSON_ERASE", record.key.subject, reason=order.reason, new={"rows": counts})
    return plan
