import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import jwt
import pytest

from tsudoi.sandbox.config import SandboxConfig

MakePerson = Callable[..., dict[str, Any]]
VERIFY = "/oauth2/v2.1/verify"


@pytest.fixture
def tokens(control: httpx2.Client, friend_id: str) -> Callable[..., dict[str, str]]:
    def issue(**wish: Any) -> dict[str, str]:
        answer: dict[str, str] = control.post(f"/_sandbox/users/{friend_id}/id_token", json=wish).json()
        return answer

    return issue


def verify(client: httpx2.Client, id_token: str, client_id: str, **more: str) -> httpx2.Response:
    return client.post(VERIFY, data={"id_token": id_token, "client_id": client_id, **more})


def refused(answer: httpx2.Response) -> str:
    assert answer.status_code == 400
    assert answer.json()["error"] == "invalid_request"
    return str(answer.json()["error_description"])


class TestIdToken:
    def test_a_good_one_says_who_it_is(
        self, control: httpx2.Client, config: SandboxConfig, tokens: Callable[..., dict[str, str]], friend_id: str
    ) -> None:
        answer = verify(
            control, tokens(nonce="n-1")["id_token"], config.login_channel_id, nonce="n-1", user_id=friend_id
        )
        assert answer.status_code == 200
        claims = answer.json()
        assert (claims["iss"], claims["sub"], claims["aud"], claims["name"], claims["nonce"]) == (
            "https://access.line.me",
            friend_id,
            config.login_channel_id,
            "山田 花子",
            "n-1",
        )
        assert claims["exp"] - claims["iat"] == 3600
        assert control.get(claims["picture"]).status_code == 200

    def test_anybody_can_check_the_signature_with_the_published_keys(
        self, control: httpx2.Client, config: SandboxConfig, tokens: Callable[..., dict[str, str]], friend_id: str
    ) -> None:
        token = tokens()["id_token"]
        keys = jwt.PyJWKSet.from_dict(control.get("/oauth2/v2.1/certs").json())
        key = keys[jwt.get_unverified_header(token)["kid"]]
        claims = jwt.decode(token, key, algorithms=["ES256"], audience=config.login_channel_id)
        assert claims["sub"] == friend_id
        with pytest.raises(jwt.InvalidSignatureError):
            jwt.decode(tokens(forged=True)["id_token"], key, algorithms=["ES256"], audience=config.login_channel_id)

    def test_after_an_hour_on_the_boxs_clock_it_is_expired(
        self, control: httpx2.Client, config: SandboxConfig, tokens: Callable[..., dict[str, str]]
    ) -> None:
        token = tokens()["id_token"]
        control.post("/_sandbox/clock", json={"advance_seconds": 3590})
        assert verify(control, token, config.login_channel_id).status_code == 200
        control.post("/_sandbox/clock", json={"advance_seconds": 11})
        assert refused(verify(control, token, config.login_channel_id)) == "IdToken expired."

    def test_a_wish_for_a_short_life(
        self, control: httpx2.Client, config: SandboxConfig, tokens: Callable[..., dict[str, str]]
    ) -> None:
        assert (
            refused(verify(control, tokens(expires_in=-1)["id_token"], config.login_channel_id)) == "IdToken expired."
        )

    def test_what_is_wrong_is_said(
        self, control: httpx2.Client, config: SandboxConfig, tokens: Callable[..., dict[str, str]]
    ) -> None:
        ours, good = config.login_channel_id, tokens()["id_token"]
        assert refused(verify(control, tokens(audience="999")["id_token"], ours)) == "Invalid IdToken Audience."
        assert refused(verify(control, good, "999")) == "Invalid IdToken Audience."
        assert refused(verify(control, tokens(forged=True)["id_token"], ours)) == "Invalid IdToken."
        assert refused(verify(control, good, ours, nonce="other")) == "Invalid IdToken Nonce."
        assert refused(verify(control, good, ours, user_id="U0")) == "Invalid IdToken Subject Identifier."

    @pytest.mark.parametrize("algorithm", ["HS256", "none"])
    def test_another_algorithm_is_not_believed(
        self, control: httpx2.Client, config: SandboxConfig, friend_id: str, algorithm: str
    ) -> None:
        claims = {"iss": "https://access.line.me", "sub": friend_id, "aud": config.login_channel_id}
        key = config.channel_secret.ljust(32, "-") if algorithm == "HS256" else ""
        token = jwt.encode({**claims, "exp": int(time.time()) + 60}, key, algorithm=algorithm)
        assert refused(verify(control, token, config.login_channel_id)) == "Invalid IdToken."

    @pytest.mark.parametrize(
        "form", [{}, {"id_token": "x"}, {"client_id": "x"}, {"id_token": "x.y.z", "client_id": "x"}]
    )
    def test_half_a_form_or_no_token(self, control: httpx2.Client, form: dict[str, str]) -> None:
        refused(control.post(VERIFY, data=form))

    def test_a_body_that_is_no_form(self, control: httpx2.Client) -> None:
        refused(control.post(VERIFY, json={"id_token": "x", "client_id": "y"}))


class TestAccessToken:
    def test_a_good_one(
        self, control: httpx2.Client, config: SandboxConfig, tokens: Callable[..., dict[str, str]]
    ) -> None:
        body = control.get(VERIFY, params={"access_token": tokens()["access_token"]}).json()
        assert body["client_id"] == config.login_channel_id
        assert "openid" in body["scope"].split()
        assert 0 < body["expires_in"] <= 12 * 3600

    def test_an_expired_or_invented_one(self, control: httpx2.Client, tokens: Callable[..., dict[str, str]]) -> None:
        token = tokens()["access_token"]
        control.post("/_sandbox/clock", json={"advance_seconds": 12 * 3600})
        for wrong in (token, "invented", ""):
            assert refused(control.get(VERIFY, params={"access_token": wrong})) == "access token expired"

    def test_it_opens_the_persons_own_profile(
        self, control: httpx2.Client, tokens: Callable[..., dict[str, str]], friend_id: str
    ) -> None:
        headers = {"authorization": f"Bearer {tokens()['access_token']}"}
        assert control.get("/v2/profile", headers=headers).json()["userId"] == friend_id
        assert control.get("/v2/profile", headers={"authorization": "Bearer x"}).status_code == 401


class TestLiffAddress:
    def test_the_first_redirect_carries_the_path_in_the_state_and_the_tokens_in_the_fragment(
        self, control: httpx2.Client, config: SandboxConfig, friend_id: str
    ) -> None:
        answer = control.get(f"/liff/{config.liff_id}/events/12?from=menu", params={"from": "menu", "as": friend_id})
        assert (answer.status_code, answer.headers["cache-control"]) == (302, "no-store")
        target = urlsplit(answer.headers["location"])
        assert f"{target.scheme}://{target.netloc}{target.path}" == config.liff_endpoint_url
        assert parse_qs(target.query) == {"liff.state": ["/events/12?from=menu"]}
        fragment = {name: values[0] for name, values in parse_qs(target.fragment).items()}
        assert fragment["user_id"] == friend_id
        assert verify(control, fragment["id_token"], config.login_channel_id).json()["sub"] == friend_id
        assert control.get(VERIFY, params={"access_token": fragment["access_token"]}).status_code == 200

    def test_without_a_path_there_is_no_state(
        self, control: httpx2.Client, config: SandboxConfig, friend_id: str
    ) -> None:
        for path in (f"/liff/{config.liff_id}", f"/liff/{config.liff_id}/"):
            location = control.get(path, params={"as": friend_id}).headers["location"]
            assert location.startswith(f"{config.liff_endpoint_url}#access_token=")

    def test_japanese_in_the_path_arrives_as_one_url(
        self, control: httpx2.Client, config: SandboxConfig, friend_id: str
    ) -> None:
        answer = control.get(f"/liff/{config.liff_id}/行事/a b", params={"as": friend_id})
        [state] = parse_qs(urlsplit(answer.headers["location"]).query)["liff.state"]
        assert state == "/%E8%A1%8C%E4%BA%8B/a%20b"

    def test_without_a_name_it_asks_who_is_there(
        self, control: httpx2.Client, config: SandboxConfig, friend: MakePerson
    ) -> None:
        person = friend("<b>鈴木</b>")
        answer = control.get(f"/liff/{config.liff_id}/events/12?from=menu")
        assert answer.status_code == 200
        assert f'href="?from=menu&amp;as={person["user_id"]}"' in answer.text
        assert "&lt;b&gt;鈴木&lt;/b&gt;" in answer.text
        assert "<b>" not in answer.text
        assert "script-src" not in answer.headers["content-security-policy"]
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")

    def test_it_asks_kindly_when_nobody_is_there(self, control: httpx2.Client, config: SandboxConfig) -> None:
        assert "まだ友だちがいません" in control.get(f"/liff/{config.liff_id}").text

    def test_unknown_people_and_unknown_apps(self, control: httpx2.Client, config: SandboxConfig) -> None:
        assert control.get(f"/liff/{config.liff_id}/x", params={"as": "U0"}).status_code == 404
        assert control.get("/liff/another-app/x").status_code == 404

    def test_no_token_is_in_the_list_of_calls(
        self, control: httpx2.Client, config: SandboxConfig, friend_id: str
    ) -> None:
        control.get(f"/liff/{config.liff_id}/events/12", params={"as": friend_id})
        control.get(VERIFY, params={"access_token": "secret-token"})
        calls = control.get("/_sandbox/calls").json()["calls"]
        assert [call["path"] for call in calls] == [f"/liff/{config.liff_id}/events/12", VERIFY]
        assert "secret-token" not in str(calls)
