from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, StringConstraints
from pydantic.config import JsonDict

from tsudoi.core.api_examples import example, strict_example
from tsudoi.core.clock import jst_text
from tsudoi.core.person_records import LinkOrigin, PersonLink, PersonRecord, RecordKey, RecordKind, RecordState
from tsudoi.roster.people.rules import DecidedPair, SharedTrait, Verdict

RecordRole = Literal["self", "joined", "linked"]
# The audit trail stores it as text, and PostgreSQL refuses NUL in text.
DecisionReason = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200, pattern=r"^[^\x00]*$")]
RecordId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]

_AT = "2025-08-17T09:00:01+09:00"
_LINE = "U0123456789abcdef0123456789abcdef"
_MEMBER: JsonDict = {
    "kind": "member",
    "id": "101",
    "label": "会員",
    "name": "山田太郎",
    "kana": "やまだ たろう",
    "state": "active",
    "contact": "t***@example.jp",
    "facts": [{"label": "名簿の番号", "value": "101"}],
    "path": "/members",
}
_STAFF: JsonDict = {
    "kind": "staff",
    "id": "7f3c0e4e-6f0f-4a55-9a52-0f6d8a6f2f11",
    "label": "職員",
    "name": "山田太郎",
    "kana": "ヤマダタロウ",
    "state": "active",
    "contact": None,
    "facts": [{"label": "職員番号", "value": "446752"}],
    "path": "/staffs/7f3c0e4e-6f0f-4a55-9a52-0f6d8a6f2f11",
}
_NAME: JsonDict = {"kind": "member", "id": "101", "name": "山田太郎"}


class RecordFact(BaseModel):
    """A further fact about a record, for people to read."""

    label: str
    value: str


class RecordName(BaseModel):
    """Which record, and whose."""

    kind: RecordKind
    id: str
    name: str = Field(description="Empty where nobody told us a name.")

    @classmethod
    def of(cls, record: PersonRecord) -> Self:
        return cls(kind=record.key.kind, id=record.key.id, name=record.name)


class RecordItem(RecordName):
    """One row about a person: a member, a staff account, a LINE user, a customer of a shop, or a mail address."""

    label: str = Field(description="The kind, in Japanese.")
    kana: str | None = Field(description="Reading of the name, where it is known.")
    state: RecordState = Field(
        description="`withdrawn`: not on the sheet any more. `suspended`, `left`: of staff. `blocked`: the LINE user "
        "blocked the account. `broken`: the link leads to nobody, or the mail address is dead."
    )
    contact: str | None = Field(description="Mail address; masked where no other screen of the office shows it.")
    facts: list[RecordFact]
    path: str | None = Field(description="The page of the console where the record is looked after.")

    @classmethod
    def of(cls, record: PersonRecord, label: str = "") -> Self:
        return cls.model_validate(_fields(record, label))


class ShownRecord(RecordItem):
    """A record on the page of a person."""

    role: RecordRole = Field(
        description="`self`: the one that was asked for. `joined`: an administrator decided that it is the same "
        "person. `linked`: a stored link names it."
    )

    @classmethod
    def with_role(cls, record: PersonRecord, label: str, role: RecordRole) -> Self:
        return cls.model_validate({**_fields(record, label), "role": role})


class RecordReference(BaseModel):
    """A record by its kind and id."""

    kind: RecordKind
    id: str


class LinkItem(BaseModel):
    """How two records belong together, and how that came about."""

    first: RecordReference
    second: RecordReference
    origin: LinkOrigin | Literal["decision"] = Field(
        description="`sheet`: a column of the roster sheet. `name`: automatic, by equal names. `office`: by hand. "
        "`registration`: in LINE by the person. `portal`: in the staff portal by the person. `proof`: by a code sent "
        "to the mail address. `decision`: a click on this page. `unknown`: the audit trail does not say."
    )
    at: str | None = Field(description="When, JST.")
    by: str | None = Field(description="By whom, as the audit trail names them.")
    reason: str | None

    @classmethod
    def stored(cls, link: PersonLink) -> Self:
        return cls._between(
            link.first,
            link.second,
            origin=link.origin,
            at=None if link.at is None else jst_text(link.at),
            by=link.by,
            reason=link.reason,
        )

    @classmethod
    def decided(cls, pair: DecidedPair) -> Self:
        return cls._between(
            pair.first, pair.second, origin="decision", at=jst_text(pair.at), by=pair.by, reason=pair.reason
        )

    @classmethod
    def _between(cls, first: RecordKey, second: RecordKey, **more: str | None) -> Self:
        return cls.model_validate({"first": first._asdict(), "second": second._asdict(), **more})


class PossiblePerson(BaseModel):
    """A record that may be of the same person. Nothing is joined before somebody says so."""

    record: RecordItem
    shared: list[SharedTrait] = Field(description="What both have: the LINE user, the mail address, the name.")
    beside: RecordName = Field(description="The record of this page that it is compared with.")


class DecidedApart(BaseModel):
    """A record that an administrator has decided to be of somebody else."""

    record: RecordItem
    beside: RecordReference
    by: str
    at: str = Field(description="When, JST.")
    reason: str | None

    @classmethod
    def of(cls, pair: DecidedPair, record: RecordItem, other: RecordKey) -> Self:
        ours = pair.first if other == pair.second else pair.second
        beside = RecordReference(kind=ours.kind, id=ours.id)
        return cls(record=record, beside=beside, by=pair.by, at=jst_text(pair.at), reason=pair.reason)


class PersonPage(BaseModel):
    """One person: the records, how they belong together, and who else it may be."""

    model_config = example(
        kind="member",
        id="101",
        name="山田太郎",
        records=[{**_MEMBER, "role": "self"}],
        links=[
            {
                "first": {"kind": "member", "id": "101"},
                "second": {"kind": "line", "id": _LINE},
                "origin": "name",
                "at": _AT,
                "by": "line:follow",
                "reason": "name_key",
            }
        ],
        suggestions=[{"record": _STAFF, "shared": ["line_user", "name"], "beside": _NAME}],
        decided_apart=[],
    )

    kind: RecordKind
    id: str
    name: str
    records: list[ShownRecord]
    links: list[LinkItem]
    suggestions: list[PossiblePerson]
    decided_apart: list[DecidedApart]


class FoundRecords(BaseModel):
    """The records of one kind that match."""

    kind: RecordKind
    label: str = Field(description="The kind, in Japanese.")
    total: int = Field(description="How many there are; only the first ones are in `items`.")
    items: list[RecordItem]


class PeopleFound(BaseModel):
    """What a search found, by kind. Kinds without a match are left out."""

    model_config = example(query="山田", groups=[{"kind": "member", "label": "会員", "total": 1, "items": [_MEMBER]}])

    query: str
    groups: list[FoundRecords]


class DriftItem(BaseModel):
    """One record about which something does not fit."""

    record: RecordName
    other: RecordName | None = Field(description="The record that contradicts it, if there is one.")
    note: str | None
    path: str = Field(description="The page of the console where it is mended.")


class DriftFinding(BaseModel):
    """Something that does not fit together, with the records that it is about."""

    code: str
    title: str
    advice: str = Field(description="What it means and what to do, in Japanese.")
    total: int
    items: list[DriftItem]
    next_cursor: str | None = Field(description="Pass it as `cursor`, together with `finding`, to get the next page.")


class DriftReport(BaseModel):
    """The findings of all parts of the product, also those with nothing in them."""

    model_config = example(
        findings=[
            {
                "code": "member_blocked",
                "title": "ブロックされたLINEと連携している会員",
                "advice": "LINEのご案内は届きません。",
                "total": 1,
                "items": [
                    {
                        "record": _NAME,
                        "other": {"kind": "line", "id": _LINE, "name": "太郎"},
                        "note": None,
                        "path": "/members?show=blocked",
                    }
                ],
                "next_cursor": None,
            }
        ]
    )

    findings: list[DriftFinding]


class RecordChoice(BaseModel):
    """A record that a request names."""

    model_config = strict_example(kind="member", id="101")

    kind: RecordKind
    id: RecordId

    @property
    def key(self) -> RecordKey:
        return RecordKey(self.kind, self.id)


class PersonDecisionRequest(BaseModel):
    """What the office decides about two records."""

    model_config = strict_example(
        first={"kind": "member", "id": "101"},
        second={"kind": "line", "id": _LINE},
        verdict="same",
        reason="電話で確認",
    )

    first: RecordChoice
    second: RecordChoice
    verdict: Verdict = Field(description="`open` takes the decision before it back.")
    reason: DecisionReason | None = Field(None, description="How the office knows; kept in the audit trail.")


class PersonDecisionResponse(BaseModel):
    """The decision that counts from now on."""

    model_config = example(
        first={"kind": "line", "id": _LINE}, second={"kind": "member", "id": "101"}, verdict="same", at=_AT
    )

    first: RecordReference
    second: RecordReference
    verdict: Verdict
    at: str = Field(description="When, JST.")


def _fields(record: PersonRecord, label: str) -> dict[str, object]:
    return {
        "kind": record.key.kind,
        "id": record.key.id,
        "label": label,
        "name": record.name,
        "kana": record.kana,
        "state": record.state,
        "contact": record.contact,
        "facts": [{"label": fact, "value": value} for fact, value in record.facts],
        "path": record.path,
    }
