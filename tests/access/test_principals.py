"""A session or token is worth what the account behind it is worth, at every request."""

from collections.abc import Callable
from datetime import timedelta

import httpx2
import pytest
from sqlalchemy import delete, select

from tests.factories.product import ADMIN, PASSWORD, PASSWORD_HASH, Product
from tests.product_fixtures import sqlite_only
from tsudoi.access.admins import queries, service
from tsudoi.access.admins.errors import LastAdmin, NoSuchAdmin, WrongCredentials
from tsudoi.access.admins.models import AdminUser
from tsudoi.access.principals import Admin, Credentials, still_allowed
from tsudoi.core import sessions
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.errors import Unauthenticated
from tsudoi.core.models import AuditLog

OTHER = "fuku-jimukyoku"
HOUR = timedelta(hours=1)
HERE, TIMES = service.LoginBrowser("127.0.0.1", "WindowsのChrome"), service.SessionTimes(HOUR, HOUR)
NEW_HASH = PASSWORD_HASH.replace("$04$", "$05$")


@pytest.fixture
def office(product: Product) -> Product:
    product.make_admin()
    product.make_admin(OTHER)
    return product


def _remove(tx: Tx, username: str) -> None:
    tx.execute(delete(AdminUser).where(AdminUser.username == username))


ENDINGS: dict[str, Callable[..., object]] = {
    "deleted": _remove,
    "disabled": service.disable,
    "revoked": service.revoke,
    "another password": lambda tx, name: service.change_password(tx, name, NEW_HASH),
}


class TestAnAccountThatIsGone:
    @pytest.mark.parametrize("ending", ENDINGS)
    def test_opens_nothing_by_cookie_or_token(self, office: Product, ending: str) -> None:
        """A cookie lasts twelve hours and a token a year; the account decides at each request."""
        csrf = office.log_in().json()["csrf_token"]
        bearer = {"authorization": f"Bearer {office.db.write_now(service.create_token, ADMIN)}"}
        with office.client() as program:
            assert office.http.get("/api/admin/me").status_code == 200
            assert program.get("/api/admin/me", headers=bearer).status_code == 200
            office.db.write_now(ENDINGS[ending], ADMIN)
            heard = [
                office.http.get("/api/admin/me"),
                office.http.post("/api/admin/audiences", json={"name": "理事会"}, headers={"x-csrf-token": csrf}),
                program.get("/api/admin/me", headers=bearer),
                program.post("/api/admin/audiences", json={"name": "理事会"}, headers=bearer),
            ]
        assert [answer.status_code for answer in heard] == [401] * 4

    def test_ends_the_stream_that_is_open(self, db: Database) -> None:
        for name in (ADMIN, OTHER):
            db.write_now(service.create_admin, name, PASSWORD_HASH)
        token = db.write_now(service.create_token, ADMIN)
        principal = db.read_now(Admin.authenticate, Credentials(sessions.TOKEN, token))
        assert db.read_now(still_allowed, principal)
        db.write_now(_remove, ADMIN)
        assert not db.read_now(still_allowed, principal)

    def test_does_not_touch_the_others(self, office: Product) -> None:
        office.log_in(username=OTHER)
        for ending in (service.revoke, service.disable):
            office.db.write_now(ending, ADMIN)
        assert office.http.get("/api/admin/me").json()["username"] == OTHER


class TestDisabled:
    def test_cannot_log_in_until_enabled_and_then_has_no_old_session(self, office: Product) -> None:
        office.log_in()
        assert office.db.write_now(service.disable, ADMIN) == 1
        refused = office.log_in()
        assert (refused.status_code, refused.json()["code"]) == (401, "UNAUTHENTICATED")
        office.db.write_now(service.enable, ADMIN)
        assert office.http.get("/api/admin/me").status_code == 401
        assert office.log_in().status_code == 200

    @sqlite_only
    def test_gets_no_token(self, office: Product) -> None:
        office.db.write_now(service.disable, ADMIN)
        with pytest.raises(NoSuchAdmin):
            office.db.write_now(service.create_token, ADMIN)

    def test_the_last_one_stays(self, db: Database) -> None:
        for name in (ADMIN, OTHER):
            db.write_now(service.create_admin, name, PASSWORD_HASH)
        db.write_now(service.disable, OTHER)
        with pytest.raises(LastAdmin):
            db.write_now(service.disable, ADMIN)
        with pytest.raises(NoSuchAdmin):
            db.write_now(service.disable, OTHER)
        assert [state.disabled_at is None for state in db.read_now(queries.states)] == [True, False]

    def test_between_the_check_and_the_session_of_a_log_in_gets_none(self, db: Database) -> None:
        """The hash is computed outside the transaction; meanwhile the account may change."""
        for name in (ADMIN, OTHER):
            db.write_now(service.create_admin, name, PASSWORD_HASH)
        for change in (service.disable, lambda tx, name: service.change_password(tx, name, NEW_HASH)):
            attempt = db.write_now(service.begin_login, OTHER, None, "127.0.0.1")
            assert attempt.account is not None
            db.write_now(change, OTHER)
            done = db.write_now(service.finish_login, attempt, attempt.account, HERE, TIMES, None)
            assert isinstance(done, WrongCredentials)
            db.write_now(lambda tx: tx.execute(AdminUser.__table__.update().values(disabled_at=None)))  # type: ignore[attr-defined]


class TestTheTrail:
    def test_names_every_command(self, db: Database) -> None:
        for name in (ADMIN, OTHER):
            db.write_now(service.create_admin, name, PASSWORD_HASH)
        db.write_now(service.create_token, ADMIN)
        db.write_now(service.revoke, ADMIN)
        db.write_now(service.change_password, ADMIN, NEW_HASH)
        db.write_now(service.disable, ADMIN)
        db.write_now(service.enable, ADMIN)
        rows = db.read_now(lambda tx: tx.execute(select(AuditLog).order_by(AuditLog.id)).all())[3:]
        assert [(row.actor, row.action, row.subject, row.new) for row in rows] == [
            ("cli", "ADMIN_REVOKE", f"admin:{ADMIN}", '{"ended":1}'),
            ("cli", "ADMIN_PASSWORD", f"admin:{ADMIN}", '{"ended":0}'),
            ("cli", "ADMIN_DISABLE", f"admin:{ADMIN}", '{"ended":0}'),
            ("cli", "ADMIN_ENABLE", f"admin:{ADMIN}", None),
        ]

    def test_counts_what_is_open(self, db: Database) -> None:
        admin_id = db.write_now(service.create_admin, ADMIN, PASSWORD_HASH)
        db.write_now(service.create_token, ADMIN)
        for _ in range(2):
            db.write_now(sessions.open_session, sessions.ADMIN, str(admin_id), {}, HOUR)
        [state] = db.read_now(queries.states)
        assert (state.username, state.sessions, state.tokens) == (ADMIN, 2, 1)


def test_a_phone_is_no_administrator(db: Database) -> None:
    """The kinds are kept apart before anybody reads the subject as a number."""
    token = db.write_now(sessions.open_session, sessions.LIFF, "U123", {}, HOUR)
    for kind in (sessions.ADMIN, sessions.TOKEN):
        with pytest.raises(Unauthenticated):
            db.read_now(Admin.authenticate, Credentials(kind, token))


def test_a_password_that_was_changed_lets_in(product: Product) -> None:
    product.make_admin()
    product.db.write_now(service.change_password, ADMIN, PASSWORD_HASH)
    with product.client() as http:
        answer: httpx2.Response = http.post("/api/admin/login", json={"username": ADMIN, "password": PASSWORD})
    assert answer.status_code == 200
