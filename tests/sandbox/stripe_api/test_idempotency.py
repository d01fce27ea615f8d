"""The same key gives the same answer, once, and refuses another question."""

import threading
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from tests.sandbox.stripe_api.conftest import form, in_minutes
from tests.servers import eventually

Json = dict[str, Any]
PATH = "/v1/checkout/sessions"
KEY = {"idempotency-key": "key-1"}


def count(control: httpx2.Client) -> int:
    return len(control.get("/_sandbox/stripe").json()["sessions"])


def test_the_first_answer_is_repeated(stripe_api: httpx2.Client, control: httpx2.Client) -> None:
    first, second = (stripe_api.post(PATH, data=form(), headers=KEY) for _ in range(2))
    assert first.json() == second.json()
    assert "idempotent-replayed" not in first.headers
    assert second.headers["idempotent-replayed"] == "true"
    assert second.headers["original-request"] == first.headers["request-id"]
    assert count(control) == 1


def test_the_answer_stays_the_same_when_the_object_has_changed(
    stripe_api: httpx2.Client, pay: Callable[..., Json]
) -> None:
    first = stripe_api.post(PATH, data=form(), headers=KEY).json()
    pay(first)
    assert stripe_api.post(PATH, data=form(), headers=KEY).json()["status"] == "open"


def test_other_parameters_are_refused(stripe_api: httpx2.Client, control: httpx2.Client) -> None:
    stripe_api.post(PATH, data=form(expires_at=in_minutes(40)), headers=KEY)
    answer = stripe_api.post(PATH, data=form(expires_at=in_minutes(41)), headers=KEY)
    assert answer.status_code == 400
    assert answer.json()["error"]["type"] == "idempotency_error"
    assert answer.json()["error"]["message"] == (
        "Keys for idempotent requests can only be used with the same parameters they were first used with. "
        "Try using a key other than 'key-1' if you meant to execute a different request."
    )
    assert count(control) == 1


def test_another_endpoint_is_refused(stripe_api: httpx2.Client) -> None:
    session = stripe_api.post(PATH, data=form(), headers=KEY).json()
    answer = stripe_api.post(f"{PATH}/{session['id']}/expire", headers=KEY)
    assert (answer.status_code, answer.json()["error"]["type"]) == (400, "idempotency_error")


def test_a_day_later_the_key_is_forgotten(stripe_api: httpx2.Client, control: httpx2.Client) -> None:
    stripe_api.post(PATH, data=form(), headers=KEY)
    control.post("/_sandbox/clock", json={"advance_seconds": 24 * 60 * 60 + 1})
    stripe_api.post(PATH, data=form(), headers=KEY)
    assert count(control) == 2


def test_what_was_refused_before_it_ran_leaves_the_key_free(stripe_api: httpx2.Client, control: httpx2.Client) -> None:
    assert stripe_api.post(PATH, data=form(mode=None), headers=KEY).status_code == 400
    assert stripe_api.post(PATH, data=form(), headers=KEY).status_code == 200
    assert count(control) == 1


def test_a_refusal_of_what_ran_is_repeated(stripe_api: httpx2.Client, open_session: Callable[..., Json]) -> None:
    path = f"{PATH}/{open_session()['id']}/expire"
    stripe_api.post(path)
    first, second = (stripe_api.post(path, headers=KEY) for _ in range(2))
    assert (first.status_code, second.status_code) == (400, 400)
    assert second.headers["idempotent-replayed"] == "true"


def test_a_key_whose_first_request_still_runs_is_in_use(
    stripe_api: httpx2.Client, control: httpx2.Client, breaks: Callable[..., None]
) -> None:
    breaks({"kind": "slow", "endpoint": "stripe_create", "seconds": 1, "times": 1})
    answers: list[httpx2.Response] = []
    first = threading.Thread(target=lambda: answers.append(stripe_api.post(PATH, data=form(), headers=KEY)))
    first.start()
    eventually(lambda: control.get("/_sandbox/faults").json()["rules"][0]["fired"])
    second = stripe_api.post(PATH, data=form(), headers=KEY)
    first.join()
    assert (second.status_code, second.json()["error"]["code"]) == (409, "idempotency_key_in_use")
    assert second.headers["stripe-should-retry"] == "true"
    assert answers[0].status_code == 200
    assert stripe_api.post(PATH, data=form(), headers=KEY).json() == answers[0].json()


class TestFaults:
    @pytest.mark.parametrize(
        ("kind", "status", "should_retry"),
        [("error_500_before", 500, "true"), ("rate_limited", 429, "false"), ("conflict", 409, "true")],
    )
    def test_before_it_runs_nothing_is_stored(
        self,
        stripe_api: httpx2.Client,
        control: httpx2.Client,
        breaks: Callable[..., None],
        kind: str,
        status: int,
        should_retry: str,
    ) -> None:
        breaks({"kind": kind, "endpoint": "stripe", "times": 1})
        failed = stripe_api.post(PATH, data=form(), headers=KEY)
        assert (failed.status_code, failed.headers["stripe-should-retry"]) == (status, should_retry)
        assert failed.json()["error"]["message"]
        assert count(control) == 0
        assert stripe_api.post(PATH, data=form(), headers=KEY).status_code == 200
        assert count(control) == 1

    def test_a_failure_while_it_ran_is_stored_with_the_key(
        self, stripe_api: httpx2.Client, control: httpx2.Client, breaks: Callable[..., None]
    ) -> None:
        """Stripe replays errors of its own too: from then on only another key helps."""
        breaks({"kind": "error_500_after", "endpoint": "stripe_create", "times": 1})
        first, second = (stripe_api.post(PATH, data=form(), headers=KEY) for _ in range(2))
        assert (first.status_code, second.status_code) == (500, 500)
        assert second.headers["idempotent-replayed"] == "true"
        assert count(control) == 1

    @pytest.mark.parametrize(("kind", "made"), [("timeout_after_accept", 1), ("timeout_before_accept", 0)])
    def test_a_lost_answer_is_found_again_with_the_key(
        self,
        stripe_api: httpx2.Client,
        control: httpx2.Client,
        breaks: Callable[..., None],
        kind: str,
        made: int,
    ) -> None:
        breaks({"kind": kind, "endpoint": "stripe_create", "seconds": 0, "times": 1})
        with pytest.raises(httpx2.HTTPError):
            stripe_api.post(PATH, data=form(), headers=KEY)
        assert count(control) == made
        assert stripe_api.post(PATH, data=form(), headers=KEY).status_code == 200
        assert count(control) == 1

    def test_line_being_down_is_none_of_stripes_business(
        self, stripe_api: httpx2.Client, line: httpx2.Client, breaks: Callable[..., None]
    ) -> None:
        breaks({"kind": "error_500_before", "endpoint": "line"})
        assert (stripe_api.get(PATH).status_code, line.get("/v2/bot/info").status_code) == (200, 500)
        breaks({"kind": "error_500_before", "endpoint": "stripe"})
        assert (stripe_api.get(PATH).status_code, line.get("/v2/bot/info").status_code) == (500, 200)
