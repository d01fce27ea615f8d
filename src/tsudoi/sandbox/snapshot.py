"""The state of the sandbox as JSON: what the demo writes to a file and reads again after a restart."""

import re
from dataclasses import dataclass, field, fields
from functools import cache

import orjson
from pydantic import TypeAdapter

from tsudoi.sandbox.calls import Calls, WebhookLog
from tsudoi.sandbox.chatwork import Chatwork
from tsudoi.sandbox.clock import SandboxClock
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.deliveries import Deliveries
from tsudoi.sandbox.faults import Faults
from tsudoi.sandbox.google_login import GoogleLogin
from tsudoi.sandbox.mailbox import Mailbox
from tsudoi.sandbox.quota import Quota
from tsudoi.sandbox.retry_keys import ReplyTokens, RetryKeys
from tsudoi.sandbox.rich_menus import RichMenus
from tsudoi.sandbox.sms import SmsNetwork
from tsudoi.sandbox.spreadsheets import Spreadsheets
from tsudoi.sandbox.state import World
from tsudoi.sandbox.stores.account import StoresAccount
from tsudoi.sandbox.stripe.account import StripeAccount
from tsudoi.sandbox.tokens import AccessTokens, Signer
from tsudoi.sandbox.users import Users

# Raise it when a class below changes its fields: a file of another version is not read.
VERSION = 1


@dataclass
class KeptState:
    """The parts of the world that survive a restart, under the names that they have there.

    The webhook address is not among them: it comes from the settings at each start, because the product may have moved.
    """

    clock: SandboxClock
    signer: Signer
    google: GoogleLogin
    users: Users
    deliveries: Deliveries
    retry_keys: RetryKeys
    reply_tokens: ReplyTokens
    access_tokens: AccessTokens
    rich_menus: RichMenus
    quota: Quota
    faults: Faults
    calls: Calls
    webhook_log: WebhookLog
    spreadsheets: Spreadsheets
    webhook_active: bool
    multicast_refuses_unknown: bool
    # Files that are older than these parts of the sandbox are still read.
    stripe: StripeAccount = field(default_factory=StripeAccount)
    mailbox: Mailbox = field(default_factory=Mailbox)
    stores: StoresAccount = field(default_factory=StoresAccount)
    chatwork: Chatwork = field(default_factory=Chatwork)
    sms: SmsNetwork = field(default_factory=SmsNetwork)


@dataclass
class Snapshot:
    """One file: the kept state, and the addresses under which the product and the sandbox were reached meanwhile."""

    version: int
    addresses: tuple[str, str]
    state: KeptState


_KEPT = tuple(kept.name for kept in fields(KeptState))


@cache
def _json() -> TypeAdapter[Snapshot]:
    """The adapter is built on first use, because most sandboxes keep no state."""
    return TypeAdapter(Snapshot)


def dump(world: World) -> bytes:
    world.access_tokens.forget_expired(world.clock.now_seconds())
    state = KeptState(**{name: getattr(world, name) for name in _KEPT})
    return _json().dump_json(Snapshot(VERSION, _addresses(world.config), state))


def restore(world: World, raw: bytes) -> None:
    """Raises ValueError, with the world unchanged, when the file is not a snapshot of this version."""
    snapshot = _json().validate_json(_moved(raw, _addresses(world.config)))
    for name in _KEPT:
        setattr(world, name, getattr(snapshot.state, name))


def _addresses(config: SandboxConfig) -> tuple[str, str]:
    return config.product_url, f"http://{config.host}:{config.port}"


def _moved(raw: bytes, now: tuple[str, str]) -> bytes:
    """Chats and menus link to the product and to the sandbox, so the links follow when either has another port now."""
    head = orjson.loads(raw)
    if not isinstance(head, dict) or head.get("version") != VERSION:
        raise ValueError("not a snapshot of this version")
    new_of = dict(zip((str(each).encode() for each in head["addresses"]), (each.encode() for each in now), strict=True))
    old = b"|".join(map(re.escape, new_of))
    return re.sub(rb"(?:" + old + rb")(?![0-9])", lambda found: new_of[found.group()], raw)
