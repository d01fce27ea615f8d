from collections.abc import Mapping
from datetime import timedelta

from sqlalchemy import insert

from tsudoi.core import audit, rate_limit
from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.person_records import RecordKey
from tsudoi.core.person_sources import PersonSource
from tsudoi.roster.people.errors import NoSuchPerson, SameRecord
from tsudoi.roster.people.models import PersonDecision
from tsudoi.roster.people.rules import pair
from tsudoi.roster.people.schemas import (
    PersonDecisionRequest,
    PersonDecisionResponse,
    PersonPage,
    RecordReference,
)

# An administrator who goes to and fro between pages leaves one row an hour, not one for each look.
VIEWS = rate_limit.Limit("person_view", 1, timedelta(hours=1))


def note_view(tx: Tx, page: PersonPage, actor: str) -> None:
    """Put on record who looked at whose data, with every record that the page showed, once per hour."""
    key = RecordKey(page.kind, page.id)
    if not rate_limit.count_request(tx, VIEWS, f"{actor}:{key.subject}").allowed:
        return
    shown = [RecordKey(record.kind, record.id).subject for record in page.records]
    audit.record(tx, actor, "PERSON_VIEW", key.subject, new={"records": shown})


def decide(
    tx: Tx, sources: Mapping[str, PersonSource], body: PersonDecisionRequest, actor: str
) -> PersonDecisionResponse:
    """Add a decision about two records. It changes no other table: the records and their links stay as they are."""
    if body.first.key == body.second.key:
        raise SameRecord
    first, second = pair(body.first.key, body.second.key)
    for key in (first, second):
        _require_known(tx, sources, key)
    row = {
        "first_kind": first.kind,
        "first_id": first.id,
        "second_kind": second.kind,
        "second_id": second.id,
        "verdict": body.verdict,
        "reason": body.reason or None,
        "decided_by": actor,
        "decided_at": tx.now,
    }
    tx.execute(insert(PersonDecision).values(**row))
    new = {"verdict": body.verdict, "other": second.subject}
    audit.record(tx, actor, "PERSON_DECIDE", first.subject, reason=body.reason or None, new=new)
    return PersonDecisionResponse(
        first=RecordReference(kind=first.kind, id=first.id),
        second=RecordReference(kind=second.kind, id=second.id),
        verdict=body.verdict,
        at=jst_text(tx.now),
    )


def _require_known(tx: Tx, sources: Mapping[str, PersonSource], key: RecordKey) -> None:
    source = sources.get(key.kind)
    if source is None or not any(record.key == key for record in source.read(tx, [key.id])):
        raise NoSuchPerson
