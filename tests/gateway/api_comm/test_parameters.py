import pytest

from tsudoi.gateway.api_comm.parameters import (
    BY_KEY,
    FALLBACKS,
    PARAMETERS,
    EffectiveValue,
    FoundValue,
    Source,
    accepted,
    effective,
)

PLACES: tuple[Source, ...] = ("shop", "sys_params_shop", "sys_params_global", "env")


def everywhere(first: int) -> list[FoundValue]:
    return [FoundValue(place, first + number) for number, place in enumerate(PLACES)]


@pytest.mark.parametrize("left_out", range(4))
def test_the_first_place_that_says_anything_wins(left_out: int) -> None:
    left = everywhere(1)[left_out:]
    assert effective("api_timeout_sec", {"api_timeout_sec": left}) == EffectiveValue(
        1 + left_out, "api_timeout_sec", PLACES[left_out]
    )


def test_nothing_written_gives_the_default() -> None:
    assert effective("api_timeout_sec", {}) == EffectiveValue(10, "api_timeout_sec", "default")
    assert effective("stores_api_retry_count", {}) == EffectiveValue(2, "api_retry_count", "default")
    assert effective("stores_healthcheck_shop_id", {}).value is None


def test_the_last_place_for_stores_comes_before_the_first_place_for_all() -> None:
    found = {"stores_api_timeout_sec": [FoundValue("env", 3)], "api_timeout_sec": everywhere(20)}
    assert effective("stores_api_timeout_sec", found) == EffectiveValue(3, "stores_api_timeout_sec", "env")
    del found["stores_api_timeout_sec"]
    assert effective("stores_api_timeout_sec", found) == EffectiveValue(20, "api_timeout_sec", "shop")


@pytest.mark.parametrize("nonsense", ["", "ten", "0", "61", "1.5", " 5", "１０", "9" * 40, True])
def test_nonsense_is_skipped_and_named(nonsense: str) -> None:
    bad = FoundValue("sys_params_global", nonsense)
    found = effective("api_timeout_sec", {"api_timeout_sec": [bad, FoundValue("env", "7")]})
    assert found == EffectiveValue(7, "api_timeout_sec", "env", (("api_timeout_sec", bad),))


def test_every_parameter_takes_its_ends_and_nothing_beyond() -> None:
    for one in PARAMETERS:
        assert [accepted(one, value) for value in (one.lowest, str(one.highest))] == [one.lowest, one.highest]
        assert [accepted(one, value) for value in (one.lowest - 1, one.highest + 1)] == [None, None]
        assert one.default is None or accepted(one, one.default) == one.default


@pytest.mark.row("4.3.47")
def test_only_the_known_parameters_exist() -> None:
    assert set(BY_KEY) == {
        *("api_timeout_sec", "api_retry_count", "stores_api_timeout_sec", "stores_api_retry_count"),
        *("stores_healthcheck_shop_id", "stores_breaker_failures", "stores_breaker_seconds"),
    }
    assert set(FALLBACKS) | set(FALLBACKS.values()) <= set(BY_KEY)
