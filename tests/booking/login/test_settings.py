"""The three secrets of staff: all of them, or the part is off."""

import secrets
from itertools import product
from typing import Any

import pytest
from pydantic import ValidationError

from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.contexts import active_contexts, required_settings
from tsudoi.core.qr_code import qr_path
from tsudoi.core.secrets_check import BadSettings, require_safe
from tsudoi.core.settings import Settings

NAMES = ("jwt_secret", "refresh_secret", "security_pin_pepper")
LINE: dict[str, Any] = {
    "line_channel_secret": "8f14e45fceea167a5a36dedd4bea2543",
    "line_channel_access_token": "q7Yw2" * 30,
    "line_login_channel_id": "1657048123",
    "liff_id": "1657048123-AbCdEfGh",
    "public_base_url": "https://tsudoi.kai.jp",
}


def _settings(**given: Any) -> Settings:
    return Settings(_env_file=None, **{**LINE, **given})


def _faults(settings: Settings) -> list[str]:
    try:
        require_safe(settings, required_settings(active_contexts(settings)))
    except BadSettings as bad:
        return [fault.partition(":")[0] for fault in bad.faults]
    return []


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.mark.row("3.7.19")
@pytest.mark.parametrize("chosen", list(product([False, True], repeat=3)))
def test_all_three_or_the_part_is_off(chosen: tuple[bool, ...]) -> None:
    given = {name: secrets.token_hex(24) for name, filled in zip(NAMES, chosen, strict=True) if filled}
    settings = _settings(**given)
    is_on = "booking" in {context.name for context in active_contexts(settings)}
    assert is_on == any(chosen)
    missing = [name.upper() for name, filled in zip(NAMES, chosen, strict=True) if not filled]
    assert _faults(settings) == (missing if is_on else [])


@pytest.mark.row("3.7.19")
def test_the_two_token_secrets_differ_and_none_is_shown() -> None:
    one = secrets.token_hex(24)
    settings = _settings(jwt_secret=one, refresh_secret=one, security_pin_pepper=secrets.token_hex(24))
    assert _faults(settings) == ["REFRESH_SECRET"]
    assert one not in repr(settings)


@pytest.mark.row("3.6.7")
def test_only_https_outside_loopback() -> None:
    given = {name: secrets.token_hex(24) for name in NAMES}
    assert _faults(_settings(**given, public_base_url="http://tsudoi.kai.jp")) == ["PUBLIC_BASE_URL"]


@pytest.mark.row("3.6.28")
@pytest.mark.parametrize("text", ["", "15", "m", "15 m", "-5m", "1.5h", "0s", "15M", "1w"])
def test_a_bad_lifetime_refuses_to_start(text: str) -> None:
    with pytest.raises(ValidationError):
        _settings(jwt_expires_in=text)
    with pytest.raises(ValidationError):
        _settings(refresh_expires_in=text)


@pytest.mark.found("24.C5")
@pytest.mark.row("6.2.4", "6.2.5")
@sqlite_only
def test_the_door_says_where_the_portal_is(make_product: ProductMaker) -> None:
    product = make_product(liff_id="1-a", liff_base="https://liff.line.me")
    answer = product.http.get("/api/staff-door")
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    found = answer.json()
    assert (found["portalUrl"], found["liffUrl"]) == (f"{product.url}/staff/", "https://liff.line.me/1-a/staff")
    assert found["portalQr"] == dict(zip(("size", "path"), qr_path(found["portalUrl"]), strict=True))
    assert found["liffQr"] == dict(zip(("size", "path"), qr_path(found["liffUrl"]), strict=True))
    without = make_product(liff_id=None).http.get("/api/staff-door").json()
    assert (without["liffUrl"], without["liffQr"]) == (None, None)
