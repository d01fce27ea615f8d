"""What all contexts store about one person, and what erasing would do."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.person_data import PersonIds, PersonTable
from tsudoi.core.person_records import PersonRecord, RecordKey
from tsudoi.core.person_sources import PersonSource
from tsudoi.roster.people.errors import NoSuchPerson
from tsudoi.roster.people.queries.page import joined_records, links_of, read_records
from tsudoi.roster.people.schemas import RecordName
from tsudoi.roster.personal_data.schemas import ErasurePlan, PlannedTable

Sources = Mapping[str, PersonSource]
Tables = Sequence[PersonTable]


class PersonFound:
    """The records of one person by the clicks of administrators, and the ids that all tables know them by."""

    def __init__(self, tx: ReadTx, sources: Sources, key: RecordKey) -> None:
        joined = joined_records(tx, key)
        self.records: list[PersonRecord] = list(read_records(tx, sources, joined).values())
        if not any(record.key == key for record in self.records):
            raise NoSuchPerson
        own_users = {record.line_user_id for record in self.records if record.line_user_id}
        self.shared_users = _also_of_others(tx, sources, own_users, joined)
        # Asked to erase a LINE user whom another record is linked to: that record has to be looked at first.
        self.is_linked_line = key.kind == "line" and key.id in self.shared_users
        self.ids = PersonIds(
            member_ids=frozenset(int(one) for one in self._of("member")),
            staff_uids=frozenset(self._of("staff")),
            customer_ids=frozenset(int(one) for one in self._of("customer")),
            line_user_ids=frozenset(own_users - self.shared_users),
            addresses=frozenset(record.address for record in self.records if record.address),
        )

    def _of(self, kind: str) -> list[str]:
        return [record.key.id for record in self.records if record.key.kind == kind]


def _also_of_others(tx: ReadTx, sources: Sources, users: Collection[str], joined: Collection[RecordKey]) -> set[str]:
    """LINE users whom a record of somebody else is linked to as well: a family may share a telephone."""
    keys = [RecordKey("line", one) for one in users]
    links = links_of(tx, sources, keys) if keys else []
    ends = [(link.first, link.second) for link in links] + [(link.second, link.first) for link in links]
    return {one.id for one, other in ends if one in keys and other not in joined}


def export_of(tx: ReadTx, sources: Sources, tables: Tables, key: RecordKey) -> dict[str, Any]:
    """Everything that is stored about the person, by table, for the person to read."""
    found = PersonFound(tx, sources, key)
    return {
        "made_at": jst_text(tx.now),
        "records": [{**record.key._asdict(), "name": record.name} for record in found.records],
        "tables": [
            {"table": table.name, "title": table.title, "rows": rows}
            for table in tables
            if (rows := table.export(tx, found.ids))
        ],
    }


def erasure_plan(tx: ReadTx, sources: Sources, tables: Tables, key: RecordKey) -> ErasurePlan:
    return plan_of(tx, tables, PersonFound(tx, sources, key))


def plan_of(tx: ReadTx, tables: Tables, found: PersonFound) -> ErasurePlan:
    counted = [(table, table.count(tx, found.ids)) for table in tables]
    obstacles = [
        f"{table.title}: {table.obstacle_reason}（{number}件）"
        for table in tables
        if (number := table.obstructed(tx, found.ids))
    ]
    if found.is_linked_line:
        obstacles.append(
            "LINEの友だち: ほかの記録と連携しています。その記録のページで消去するか、先に連携を解除してください"
        )
    return ErasurePlan(
        records=[RecordName.of(record) for record in found.records],
        tables=[
            PlannedTable(table=table.name, title=table.title, rows=number, fate=table.fate)
            for table, number in counted
            if number
        ],
        obstacles=obstacles,
        shared_line=bool(found.shared_users),
    )
