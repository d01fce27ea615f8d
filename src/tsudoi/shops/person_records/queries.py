"""Customers of shops who have proved who they are, as records about people."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Text, case, cast, literal, select

from tsudoi.core import audit
from tsudoi.core.clock import display
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.person_records import PersonLink, PersonRecord, PersonSearch, PersonTraits, RecordKey, RecordState
from tsudoi.core.person_sources import AnySelect, DriftCheck, OtherRecord, PersonSource, drift_row
from tsudoi.line.friends.models import LineFriend
from tsudoi.roster.people.rules import origin_of
from tsudoi.shops.links.models import CustomerLink
from tsudoi.shops.shop.models import Shop

_LINE = "line"
_LARGEST_ID = 2**53
_LINKED = ("CUSTOMER_LINK", "CUSTOMER_LINK_CHANGE", "CUSTOMER_LINK_TRANSFER")
_COLUMNS = (
    CustomerLink.id,
    CustomerLink.channel_type,
    CustomerLink.external_user_id,
    CustomerLink.stores_customer_id,
    CustomerLink.created_at_utc,
    CustomerLink.updated_at_utc,
    Shop.name.label("shop_name"),
    LineFriend.display_name,
    LineFriend.following,
)


def _selected() -> AnySelect:
    """A customer has no name here. The shop's reservation system has it, and the LINE user may have one."""
    is_friend = (LineFriend.user_id == CustomerLink.external_user_id) & (CustomerLink.channel_type == _LINE)
    return (
        select(*_COLUMNS)
        .join(Shop, Shop.id == CustomerLink.shop_id)
        .outerjoin(LineFriend, is_friend)
        .order_by(CustomerLink.id.desc())
    )


def _search(tx: ReadTx, wanted: PersonSearch) -> list[str]:
    searched = (LineFriend.display_name, CustomerLink.stores_customer_id, CustomerLink.external_user_id)
    return wanted.filter(tx.execute(_selected().with_only_columns(CustomerLink.id, *searched)))


def _read(tx: ReadTx, ids: Collection[str]) -> list[PersonRecord]:
    return [_record(row) for row in tx.execute(_selected().where(CustomerLink.id.in_(_numbers(ids))))]


def _having(tx: ReadTx, traits: PersonTraits, most: int) -> list[str]:
    found = select(CustomerLink.id).where(
        CustomerLink.channel_type == _LINE, CustomerLink.external_user_id.in_(traits.line_user_ids)
    )
    return [str(number) for number in tx.execute(found.order_by(CustomerLink.id).limit(most)).scalars()]


def _links(tx: ReadTx, ids: Collection[str]) -> list[PersonLink]:
    rows = tx.execute(_selected().where(CustomerLink.id.in_(_numbers(ids)), CustomerLink.channel_type == _LINE)).all()
    entries = audit.newest_entries(tx, _LINKED, [f"customer_link:{row.id}" for row in rows])
    return [_link(row, entries.get(f"customer_link:{row.id}")) for row in rows]


def _link(row: Any, entry: Any) -> PersonLink:
    """The shop may link by hand. Everybody else proves the mail address that the shop knows."""
    keys = RecordKey("customer", str(row.id)), RecordKey("line", row.external_user_id)
    if entry is not None and origin_of(entry.actor) == "office":
        return PersonLink(*keys, "office", row.updated_at_utc, entry.actor, entry.reason)
    return PersonLink(*keys, "proof", row.updated_at_utc, None if entry is None else entry.actor)


def _record(row: Any) -> PersonRecord:
    return PersonRecord(
        RecordKey("customer", str(row.id)),
        row.display_name or "",
        _state(row.channel_type, row.following),
        line_user_id=row.external_user_id if row.channel_type == _LINE else None,
        facts=(
            ("店舗", row.shop_name),
            ("STORESの顧客番号", row.stores_customer_id),
            ("連携した日", display(row.created_at_utc)),
        ),
        path="/shops",
    )


def _state(channel_type: str, following: bool | None) -> RecordState:
    if channel_type != _LINE or following:
        return "active"
    return "broken" if following is None else "blocked"


def _numbers(ids: Collection[str]) -> list[int]:
    return [int(one) for one in ids if one.isascii() and one.isdecimal() and int(one) <= _LARGEST_ID]


def _line_user_gone() -> AnySelect:
    customer = (Shop.name + literal(" ")).concat(CustomerLink.stores_customer_id)
    other: OtherRecord = ("line", CustomerLink.external_user_id, LineFriend.display_name)
    note = case(
        (LineFriend.user_id.is_(None), literal("友だちの記録がありません")), else_=literal("ブロックされています")
    )
    return (
        select(*drift_row("customer", cast(CustomerLink.id, Text), customer, other=other, note=note))
        .join(Shop, Shop.id == CustomerLink.shop_id)
        .outerjoin(LineFriend, LineFriend.user_id == CustomerLink.external_user_id)
        .where(CustomerLink.channel_type == _LINE, LineFriend.following.is_not(True))
        .order_by(Shop.name, CustomerLink.id)
    )


CUSTOMER_RECORDS = PersonSource("customer", "店舗のお客様", _search, _read, _having, _links)
CUSTOMER_CHECKS = (
    DriftCheck(
        "customer_line_gone",
        "LINEがなくなった店舗のお客様",
        "連携先のLINEがブロックされているか、友だちの記録がありません。LINEでのお知らせは届きません。",
        "/shops",
        _line_user_gone,
    ),
)
