"""Who may speak in Stripe's name: signatures judged by us and by Stripe's SDK."""

import time
import warnings
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsudoi.gateway.clients import line as line_module
from tsudoi.gateway.clients.stripe import POLICIES
from tsudoi.gateway.clients.stripe_signatures import verify_signature

SECRET = "whsec_of_the_tests_0123456789"
BODY = '{"id":"evt_1","data":{"name":"山田"}}'.encode()
NOW = datetime(2026, 11, 17, 3, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def sdk() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import stripe  # noqa: PLC0415

    return stripe


@pytest.fixture(scope="module")
def header(sdk: Any) -> Any:
    """Signed by Stripe's own code."""

    def signed(at: datetime = NOW, secret: str = SECRET, body: bytes = BODY) -> str:
        stamp = int(at.timestamp())
        digest = sdk.WebhookSignature._compute_signature(f"{stamp}.{body.decode()}", secret)
        return f"t={stamp},v1={digest}"

    return signed


class TestAccepted:
    @pytest.mark.parametrize("seconds", [-300, -299, 0, 299, 300])
    def test_around_now(self, header: Any, seconds: int) -> None:
        assert verify_signature(SECRET, header(NOW + timedelta(seconds=seconds)), BODY, NOW)

    def test_with_the_old_secret_beside_the_new_one(self, header: Any) -> None:
        other = header(secret="whsec_of_yesterday").partition(",")[2]
        assert verify_signature(SECRET, f"{header()},{other},v0=abc", BODY, NOW)
        assert verify_signature(SECRET, f"{header().partition(',')[0]},{other},{header().partition(',')[2]}", BODY, NOW)

    def test_what_we_accept_the_sdk_accepts(self, sdk: Any, header: Any) -> None:
        now = datetime.fromtimestamp(int(time.time()), UTC)
        assert verify_signature(SECRET, header(now), BODY, now)
        assert sdk.WebhookSignature.verify_header(BODY, header(now), SECRET, 300)


class TestRefused:
    @pytest.mark.parametrize("seconds", [-301, 301, 3600, -86400])
    def test_too_old_or_from_the_future(self, header: Any, seconds: int) -> None:
        assert not verify_signature(SECRET, header(NOW + timedelta(seconds=seconds)), BODY, NOW)

    def test_another_secret_another_body_another_time(self, header: Any) -> None:
        assert not verify_signature(SECRET, header(secret="whsec_other"), BODY, NOW)
        assert not verify_signature(SECRET, header(), BODY + b" ", NOW)
        later = f"t={int(NOW.timestamp()) + 1},{header().partition(',')[2]}"
        assert not verify_signature(SECRET, later, BODY, NOW)

    def test_an_empty_secret_proves_nothing(self, header: Any) -> None:
        assert not verify_signature("", header(secret=""), BODY, NOW)

    def test_the_secret_without_its_prefix(self, header: Any) -> None:
        assert not verify_signature(SECRET, header(secret=SECRET.removeprefix("whsec_")), BODY, NOW)

    @pytest.mark.parametrize(
        "change",
        [
            lambda _good: None,
            lambda _good: "",
            lambda good: good.partition(",")[0],
            lambda good: good.partition(",")[2],
            lambda good: good.replace("v1=", "v0="),
            lambda good: good.replace("v1=", "V1="),
            lambda good: good.upper(),
            lambda good: f"t=1,{good}",
            lambda good: good.replace("t=", "t=+"),
            lambda good: good.replace("t=", "t=-"),
            lambda good: good.replace("t=1", "t=١"),
            lambda _good: "t=" + "9" * 400 + ",v1=00",
            lambda good: good.replace("v1=", "v1=é"),
            lambda _good: "t=now,v1=\udcff",
            lambda good: good.replace(",", ";"),
            lambda good: good + "," * 10_000,
        ],
    )
    def test_a_malformed_header(self, header: Any, change: Any) -> None:
        assert not verify_signature(SECRET, change(header()), BODY, NOW)

    @given(st.text(max_size=200))
    def test_any_text(self, text: str) -> None:
        assert not verify_signature(SECRET, text, BODY, NOW)


def test_stripe_shares_no_threads_with_line() -> None:
    ours = {policy.pool.name for policy in (POLICIES.write, POLICIES.read)}
    names = (getattr(line_module.POLICIES, name).pool.name for name in ("send", "profile", "verify", "account"))
    assert ours.isdisjoint(names)
