"""The product as it runs: real settings, a real database, the real way out to the sandbox, behind a real server."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import bcrypt
import httpx2
import orjson
from pydantic_settings import BaseSettings
from pydantic_settings import PydanticBaseSettingsSource as Source
from sqlalchemy import select

from tests.factories.documented import DocumentedOnly
from tests.factories.webhooks import body_of, sign
from tests.servers import browser, listen, serving, url_of
from tsudoi.access.admins import service as admins
from tsudoi.app import create_app
from tsudoi.contexts import open_runtime
from tsudoi.core.clock import jst_date
from tsudoi.core.db.base import Base
from tsudoi.core.db.interface import Database
from tsudoi.core.runtime import Runtime
from tsudoi.core.settings import Settings
from tsudoi.gateway.clients import line as line_module
from tsudoi.gateway.clients.line import LineClient, LineConfig, LinePolicies
from tsudoi.gateway.http import HttpGateway
from tsudoi.sandbox.server import RunningSandbox
from tsudoi.worker import Worker

CHANNEL_SECRET = "channel-secret-of-the-tests"
ACCESS_TOKEN = "channel-access-token-of-the-tests"
LOGIN_CHANNEL = "1234567890"
LIFF_ID = "1234567890-AbcdEfgh"
ADMIN, PASSWORD = "jimukyoku", "correct horse battery staple"
# The cheapest hash there is: the tests are not about how slow bcrypt is.
PASSWORD_HASH = bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(4)).decode()
JWT_SECRET, REFRESH_SECRET = "access-tokens-of-the-tests-0123456789", "refresh-tokens-of-the-tests-0123456789"
PIN_PEPPER = "pepper-of-the-tests-0123456789abcdef"
STRIPE_KEY, STRIPE_WEBHOOK_SECRET = "sk_test_of_the_tests_0123456789", "whsec_of_the_tests_0123456789"
SHOP_KEYS = "c2hvcCBrZXlzIG9mIHRoZSB0ZXN0cyAwMTIzNDU2Nzg="
JSON = {"content-type": "application/json"}


@dataclass(frozen=True)
class Product:
    url: str
    settings: Settings
    db: Database
    runtime: Runtime
    worker: Worker
    http: httpx2.Client

    @property
    def line(self) -> LineClient:
        return self.runtime.part(LineClient)

    def client(self, **options: Any) -> httpx2.Client:
        """Another browser: it shares no cookies with the first."""
        return browser(self.url, **options)

    def rows(self, model: type[Base]) -> list[dict[str, Any]]:
        key = model.__table__.primary_key
        found = self.db.read_now(lambda tx: tx.execute(select(model).order_by(*key)).mappings().all())
        return [dict(row) for row in found]

    def post_webhook(self, *events: Any) -> httpx2.Response:
        return self.post_raw(body_of(*events))

    def post_raw(self, body: bytes, signature: str | None = "") -> httpx2.Response:
        """Signed well unless a signature is given; None sends no signature at all."""
        mark = sign(CHANNEL_SECRET, body) if signature == "" else signature
        headers = {b"content-type": b"application/json"}
        if mark is not None:
            headers[b"x-line-signature"] = mark.encode()
        return self.http.post("/api/line/webhook", content=body, headers=headers)

    def drain(self) -> int:
        """Let the worker take everything that is due now."""
        taken = 0
        while number := self.worker.drain():
            taken += number
        return taken

    @property
    def webhook_log(self) -> Path:
        return self.settings.log_dir / "line" / f"WEBHOOK-{jst_date(self.db.clock.now())}.ndjson"

    def webhook_lines(self) -> list[dict[str, Any]]:
        if not self.webhook_log.exists():
            return []
        return [orjson.loads(line) for line in self.webhook_log.read_bytes().splitlines()]

    def make_admin(self, username: str = ADMIN) -> int:
        return self.db.write_now(admins.create_admin, username, PASSWORD_HASH)

    def log_in(
        self, http: httpx2.Client | None = None, username: str = ADMIN, password: str = PASSWORD
    ) -> httpx2.Response:
        return (http or self.http).post("/api/admin/login", json={"username": username, "password": password})


class GivenSettings(Settings):
    """Only what is given, without a look at the environment: for each of a hundred fields that takes its time."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 (named by the library)
        init_settings: Source,
        *_others: Source,
        **_more: Source,
    ) -> tuple[Source, ...]:
        return (init_settings,)


def settings_for(url: str, data_dir: Path, box_url: str, **more: Any) -> Settings:
    defaults: dict[str, Any] = {
        "public_base_url": url,
        "data_dir": data_dir,
        "line_channel_secret": CHANNEL_SECRET,
        "line_channel_access_token": ACCESS_TOKEN,
        "line_login_channel_id": LOGIN_CHANNEL,
        "liff_id": LIFF_ID,
        "liff_adapter": "sandbox",
        "line_api_base": box_url,
        "line_data_api_base": box_url,
        "jwt_secret": JWT_SECRET,
        "refresh_secret": REFRESH_SECRET,
        "security_pin_pepper": PIN_PEPPER,
        "stripe_secret_key": STRIPE_KEY,
        "stripe_webhook_secret": STRIPE_WEBHOOK_SECRET,
        "stripe_api_base": box_url,
        "shop_secrets_keys": SHOP_KEYS,
        "stores_api_base": f"{box_url}/reserve/202101",
    }
    return GivenSettings(**{**defaults, **more})


def line_client(settings: Settings, gateway: HttpGateway) -> LineClient:
    """Shorter patience than in production, so that a test of a time-out does not take ten seconds.

    Not much shorter: where many tests run at once, a good answer may take half a second too.
    """
    return LineClient(LineConfig.of(settings), gateway, sending_within(timedelta(seconds=1.5)))


def sending_within(patience: timedelta) -> LinePolicies:
    send = replace(line_module.POLICIES.send, timeout=patience, deadline=patience)
    return replace(line_module.POLICIES, send=send)


@contextmanager
def runtime_for(settings: Settings, db: Database) -> Iterator[Runtime]:
    """The runtime as `tsudoi serve` builds it, with a less patient LINE client."""
    gateway = HttpGateway(db)
    with open_runtime(settings, db, replacements=[gateway, line_client(settings, gateway)]) as runtime:
        yield runtime


@contextmanager
def running_product(db: Database, data_dir: Path, box_url: str, **more: Any) -> Iterator[Product]:
    with ExitStack() as stack:
        bound = listen()
        settings = settings_for(url_of(bound), data_dir, box_url, **more)
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        runtime = stack.enter_context(runtime_for(settings, db))
        app = DocumentedOnly(create_app(runtime))
        url = stack.enter_context(serving(app, bound))
        http = stack.enter_context(browser(url))
        yield Product(url, settings, db, runtime, Worker(runtime), http)
        assert not app.undocumented, f"statuses that the API description does not name: {sorted(app.undocumented)}"


class Box:
    """The sandbox, driven over HTTP as a person would drive it."""

    def __init__(self, running: RunningSandbox, http: httpx2.Client) -> None:
        self.url, self.smtp_url, self.world, self.http = running.url, running.smtp_url, running.world, http

    def person(self, name: str = "山田 太郎", **more: Any) -> str:
        made = self.http.post("/_sandbox/users", json={"display_name": name, **more})
        made.raise_for_status()
        return str(made.json()["user_id"])

    def does(self, who: str, what: str, **delivery: Any) -> dict[str, Any]:
        """The person follows, blocks or unblocks; gives what became of the webhook."""
        answer = self.http.post(f"/_sandbox/users/{who}/{what}", json={"delivery": delivery})
        answer.raise_for_status()
        return dict(answer.json()["webhook"])

    def friend(self, name: str = "山田 太郎", **more: Any) -> str:
        """A friend of whom the product has not been told."""
        who = self.person(name, **more)
        self.world.users.get(who).following = True  # type: ignore[union-attr]
        return who

    def id_token(self, who: str, **wish: Any) -> str:
        answer = self.http.post(f"/_sandbox/users/{who}/id_token", json=wish)
        answer.raise_for_status()
        return str(answer.json()["id_token"])

    def pays(self, session_id: str, method: str = "card") -> list[dict[str, Any]]:
        """Somebody pays by "card" or "konbini", or is "declined"; gives what became of Stripe's webhooks."""
        answer = self.http.post(f"/_sandbox/stripe/sessions/{session_id}/pay", json={"method": method})
        answer.raise_for_status()
        return list(answer.json()["webhooks"])

    def breaks(self, kind: str, endpoint: str, **more: Any) -> None:
        rule = {"kind": kind, "endpoint": endpoint, **more}
        self.http.put("/_sandbox/faults", json={"rules": [rule]}).raise_for_status()

    def mends(self) -> None:
        self.http.delete("/_sandbox/faults").raise_for_status()

    def chat(self, who: str) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = self.http.get(f"/_sandbox/users/{who}/chat").json()["messages"]
        return messages

    def mails(self, to: str | None = None) -> list[dict[str, Any]]:
        found = self.http.get("/_sandbox/mails", params={} if to is None else {"to": to})
        mails: list[dict[str, Any]] = found.raise_for_status().json()["mails"]
        return mails

    def calls(self, path: str) -> list[dict[str, Any]]:
        return [call for call in self.http.get("/_sandbox/calls").json()["calls"] if path in call["path"]]
