"""Puts API_COMM together: the clients of the gateway, and the tables of the shops as its `ShopData`."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import structlog

from tsudoi.alarms.escalation.queries import rule_of, ticket_address
from tsudoi.alarms.outages import service as outages
from tsudoi.alarms.outages.jobs import channels_of
from tsudoi.alarms.outages.queries import channels_out
from tsudoi.alarms.system_events.service import note_event
from tsudoi.alarms.tickets import service as tickets
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.interface import Database
from tsudoi.core.runtime import Runtime
from tsudoi.core.settings import Settings
from tsudoi.gateway.api_comm.facade import ApiComm, OutsideClients
from tsudoi.gateway.api_comm.parameters import PARAMETERS, FoundValue
from tsudoi.gateway.api_comm.shop_data import (
    AlarmChannel,
    AlarmDraft,
    AlarmRule,
    AttemptKind,
    ChannelAttempt,
    ClearedTicket,
    FoundParameters,
    NotedAlarm,
    ShopFacts,
)
from tsudoi.gateway.api_comm.system_health_gateway import ProbedClients
from tsudoi.gateway.clients.chatwork import ChatworkClient
from tsudoi.gateway.clients.karaden import sms_provider_of
from tsudoi.gateway.clients.line import LineClient, LineConfig
from tsudoi.gateway.clients.line_account import LineAccount
from tsudoi.gateway.clients.openai import OpenAiClient
from tsudoi.gateway.clients.stores import StoresClient
from tsudoi.gateway.http import HttpGateway
from tsudoi.shops.api_data import queries
from tsudoi.shops.breakers import service as breakers
from tsudoi.shops.connectivity.service import note_check
from tsudoi.shops.secrets.errors import Unreadable
from tsudoi.shops.secrets.rules import STORES_API_TOKEN, KeyRing, decrypt, secret_purpose

_log = structlog.stdlib.get_logger(__name__)


class StoredShopData:
    """The tables of the shops, as API_COMM asks for them. Each method is one transaction."""

    def __init__(self, settings: Settings, db: Database) -> None:
        self._settings = settings
        self._db = db
        self._ring = _key_ring(settings)
        self._environment = {
            one.key: FoundValue("env", value)
            for one in PARAMETERS
            if (value := getattr(settings, one.key, None)) is not None
        }

    def now(self) -> datetime:
        return self._db.clock.now()

    def shop(self, shop_id: int) -> ShopFacts | None:
        found = self._db.read_now(queries.stored_shop, shop_id)
        return None if found is None else self._facts(found)

    def shop_code(self, shop_id: int) -> str | None:
        return self._db.read_now(queries.shop_code, shop_id)

    def ticket_address(self, ticket_id: int) -> str:
        return ticket_address(self._settings, ticket_id)

    def parameters(self, shop_id: int | None) -> FoundParameters:
        return self._with_environment(self._db.read_now(queries.stored_parameters, shop_id))

    def healthcheck_shop(self, preferred: int | None) -> ShopFacts | None:
        shop = None if preferred is None else self.shop(preferred)
        if shop is not None:
            return shop
        first = self._db.read_now(queries.first_open_shop)
        return None if first is None else self.shop(first)

    def line_link(self, shop_id: int, line_user_id: str) -> str | None:
        return self._db.read_now(queries.line_link, shop_id, line_user_id)

    def take_probe(self, shop_id: int, system: str, until: datetime) -> bool:
        return self._db.write_now(breakers.take_probe, shop_id, system, until)

    def note_success(self, shop_id: int, system: str) -> int:
        return self._db.write_now(breakers.note_success, shop_id, system)

    def note_working(self, shop_id: int, system: str) -> None:
        self._db.write_soon(breakers.note_working, shop_id, system)

    def note_failure(self, shop_id: int, system: str, error: str, open_after: int | None, open_seconds: int) -> int:
        return self._db.write_now(breakers.note_failure, shop_id, system, error, open_after, open_seconds)

    def note_trouble(self, shop_id: int, system: str, error: str) -> None:
        self._db.write_soon(outages.note_trouble, shop_id, system, error)

    def note_event(self, event_type: str, channel: str | None, shop_id: int | None, payload: Mapping[str, Any]) -> None:
        self._db.write_now(note_event, event_type, channel, shop_id, payload)

    def alarm_rule(self, rule_code: str) -> AlarmRule | None:
        return self._db.read_now(rule_of, self._settings, rule_code)

    def channels_out(self) -> frozenset[AlarmChannel]:
        return self._db.read_now(channels_out)

    def note_alarm(self, draft: AlarmDraft) -> NotedAlarm:
        return self._db.write_now(tickets.note_alarm, draft)

    def note_attempts(
        self, ticket_id: int, rule: AlarmRule, kind: AttemptKind, request_id: str, attempts: Sequence[ChannelAttempt]
    ) -> None:
        self._db.write_now(tickets.note_attempts, ticket_id, rule, kind, request_id, attempts)

    def clear_tickets(self, causes: Sequence[str]) -> list[ClearedTicket]:
        return self._db.write_now(tickets.clear_tickets, causes)

    def note_check(self, code: str, results: Mapping[str, Any], asked_by: str, request_id: str) -> None:
        self._db.write_now(note_check, code, results, asked_by, request_id)

    def _facts(self, found: queries.StoredShop) -> ShopFacts:
        return ShopFacts(
            found.id,
            found.code,
            found.merchant_canonical_id,
            self._token(found),
            found.sealed_token is not None,
            self._with_environment(found.parameters),
            found.condition,
        )

    def _token(self, found: queries.StoredShop) -> str | None:
        if found.sealed_token is None or self._ring is None:
            return None
        try:
            return decrypt(self._ring, found.sealed_token, secret_purpose(found.id, STORES_API_TOKEN))
        except Unreadable as unreadable:
            _log.error("shop_secret_unreadable", shop_id=found.id, reason=str(unreadable))
            return None

    def _with_environment(self, found: Mapping[str, Sequence[FoundValue]]) -> FoundParameters:
        both = dict(found)
        for key, value in self._environment.items():
            both[key] = (*both.get(key, ()), value)
        return both


def _key_ring(settings: Settings) -> KeyRing | None:
    try:
        return KeyRing.of(settings.shop_secrets_keys.get_secret_value()) if settings.shop_secrets_keys else None
    except ValueError as error:
        _log.error("shop_secrets_keys_unusable", reason=str(error))
        return None


def api_comm_of(runtime: Runtime) -> ApiComm:
    return api_comm_for(runtime.settings, runtime.db, runtime.part(HttpGateway))


def api_comm_for(settings: Settings, db: Database, gateway: HttpGateway) -> ApiComm:
    return ApiComm(outside_clients(settings, db, gateway), StoredShopData(settings, db))


def outside_clients(settings: Settings, db: Database | None, gateway: HttpGateway) -> OutsideClients:
    chatwork, sms = ChatworkClient.of(settings, gateway), sms_provider_of(settings, gateway)
    line = LineAccount(LineClient(LineConfig.of(settings), gateway), SystemClock() if db is None else db.clock)
    stores, openai = StoresClient.of(settings, gateway), OpenAiClient.of(settings, gateway)
    return OutsideClients(
        ProbedClients(stores, chatwork, sms, line, openai),
        channels_of(settings, db, gateway),
    )
