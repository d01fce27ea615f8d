"""The token in the link is a password: no cache, no referrer, no log, no metric and no error may have it."""

import httpx2
import pytest

from tests.factories.product import Product
from tests.factories.threads import MadeInvite, make_thread
from tests.product_fixtures import sqlite_only
from tests.scheduling.invitations.test_respond import ANNA, selected
from tsudoi.scheduling.invitations.endpoints import answering, reading
from tsudoi.scheduling.thread.models import ThreadInvite

pytestmark = sqlite_only
FORM = {"content-type": "application/x-www-form-urlencoded"}
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)


class Broken(Exception):
    """A failure of ours, in the middle of a request."""


def fails(*_arguments: object, **_named: object) -> None:
    raise Broken


@pytest.fixture
def anna(product: Product) -> MadeInvite:
    return make_thread(product.db, ANNA).invites[0]


def requests(product: Product, invite: MadeInvite) -> list[httpx2.Response]:
    http = product.http
    return [
        http.get(invite.path),
        http.head(invite.path),
        http.get(f"{invite.path}/unsubscribe"),
        http.get(f"{invite.path}/calendar.ics"),
        http.get(invite.respond, follow_redirects=False),
        http.post(invite.respond, json={"status": "wrong"}),
        http.post(invite.respond, content=b"comment=", headers=FORM),
        http.post(invite.respond, json={"status": "declined"}),
        http.post(invite.respond, content=b"status=declined", headers=FORM, follow_redirects=False),
        http.put(invite.path),
        http.get("/i/unknown"),
        http.get("/i/unknown/with/more"),
        http.post("/i/unknown/respond", json={}),
        http.post(f"{invite.path}/unsubscribe"),
    ]


class TestHeaders:
    @pytest.mark.row("1.I.7")
    def test_of_every_answer(self, product: Product, anna: MadeInvite) -> None:
        for answer in requests(product, anna):
            name = f"{answer.request.method} {answer.request.url} {answer.status_code}"
            assert answer.headers["cache-control"] == "no-store", name
            assert answer.headers["referrer-policy"] == "no-referrer", name
            assert answer.headers["x-robots-tag"] == "noindex, nofollow", name
            assert answer.headers["x-frame-options"] == "DENY", name
            assert answer.headers["content-security-policy"] == POLICY, name
            assert "set-cookie" not in answer.headers, name

    def test_of_the_pages_files(self, product: Product, anna: MadeInvite) -> None:
        html = product.http.get(anna.path).text
        for name, kind in (("page.css", "text/css"), ("zone.js", "text/javascript"), ("icon.svg", "image/svg+xml")):
            found = html.partition(f"/i/assets/{name}")[2].partition('"')[0]
            answer = product.http.get(f"/i/assets/{name}{found}")
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith(kind)
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        for name in ("page.py", "..%2Fpages.py", "nothing"):
            assert product.http.get(f"/i/assets/{name}").status_code == 404
        assert "<style" not in html
        assert " style=" not in html
        assert "<script>" not in html


class TestTheToken:
    @pytest.mark.row("1.I.8")
    def test_is_in_no_log_metric_or_error(
        self,
        product: Product,
        anna: MadeInvite,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        for answer in requests(product, anna):
            if not answer.is_success and answer.headers.get("content-type") == "application/json":
                assert anna.token not in answer.text
        monkeypatch.setattr(answering, "answer", fails)
        monkeypatch.setattr(reading, "own_invitation", fails)
        failed = [
            product.http.get(anna.path),
            product.http.post(anna.respond, json={"status": "declined"}),
            product.http.post(anna.respond, content=b"status=declined", headers=FORM),
            product.http.post(f"{anna.path}/respond?tz={anna.token}", json={"status": "declined"}),
        ]
        assert [answer.status_code for answer in failed] == [500] * 4
        assert [answer.headers["content-type"].partition(";")[0] for answer in failed] == [
            "text/html",
            "application/json",
            "text/html",
            "application/json",
        ]
        for answer in failed:
            assert "Broken" not in answer.text
            assert answer.headers["cache-control"] == "no-store"
        logged = "".join(capsys.readouterr())
        assert "unexpected" in logged, "the failures are logged"
        assert "/i/***/respond" in logged
        for secret in (anna.token, ANNA, "anna"):
            assert secret not in logged, secret
        metrics = product.http.get("/metrics").text
        assert 'route="/i/{token}/respond"' in metrics
        assert anna.token not in metrics

    def test_of_somebody_who_was_removed_opens_nothing(self, product: Product) -> None:
        thread = make_thread(product.db, ANNA)
        anna = thread.invites[0]
        product.db.write_now(lambda tx: tx.execute(ThreadInvite.__table__.delete()))  # type: ignore[attr-defined]
        assert product.http.get(anna.path).status_code == 404
        assert product.http.post(anna.respond, json=selected(thread.slots[0])).status_code == 404
        assert product.http.post(f"{anna.path}/unsubscribe").status_code == 404
