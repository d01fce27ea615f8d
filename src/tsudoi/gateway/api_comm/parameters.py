"""The parameters of calls to outside systems, and which of several values holds. Pure.

A value may stand in the shop's own data, in `sys_params` for the shop or for everybody, and in the environment; the
first one that makes sense holds. What is written for STORES alone is looked for at all of these places before what is
written for every system. Only then the default of the code holds.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

# In the order in which they are asked.
Source = Literal["shop", "sys_params_shop", "sys_params_global", "env", "default"]

_NUMBER = re.compile(r"-?[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter that the office may set: a whole number within a range."""

    key: str
    label: str
    lowest: int
    highest: int
    default: int | None
    per_shop: bool


PARAMETERS: tuple[Parameter, ...] = (
    Parameter("api_timeout_sec", "外部APIの応答を待つ秒数", 1, 60, 10, per_shop=True),
    Parameter("api_retry_count", "外部APIの読み取りをやり直す回数", 0, 5, 2, per_shop=True),
    Parameter("stores_api_timeout_sec", "STORES予約の応答を待つ秒数", 1, 60, None, per_shop=True),
    Parameter("stores_api_retry_count", "STORES予約の読み取りをやり直す回数", 0, 5, None, per_shop=True),
    Parameter("stores_healthcheck_shop_id", "STORES予約の疎通確認に使う店舗", 1, 2**53, None, per_shop=False),
    Parameter("stores_breaker_failures", "STORES予約を一時停止するまでの連続失敗回数", 1, 10, 5, per_shop=True),
    Parameter("stores_breaker_seconds", "STORES予約を一時停止する秒数", 5, 600, 30, per_shop=True),
)
BY_KEY: Mapping[str, Parameter] = {one.key: one for one in PARAMETERS}
# Where a parameter of STORES is written nowhere, the one for every system holds.
FALLBACKS: Mapping[str, str] = {
    "stores_api_timeout_sec": "api_timeout_sec",
    "stores_api_retry_count": "api_retry_count",
}


@dataclass(frozen=True, slots=True)
class FoundValue:
    """What stands at one place. It may be nonsense, because people write into databases by hand."""

    source: Source
    value: str | int


@dataclass(frozen=True, slots=True)
class EffectiveValue:
    """The value that holds, the key and the place that it comes from, and the values that were skipped as nonsense."""

    value: int | None
    key: str
    source: Source
    skipped: tuple[tuple[str, FoundValue], ...] = ()


def accepted(parameter: Parameter, value: str | int) -> int | None:
    """The value as a number, or None if it is none or is out of range."""
    if isinstance(value, bool) or (isinstance(value, str) and not _NUMBER.fullmatch(value)):
        return None
    number = int(value)
    return number if parameter.lowest <= number <= parameter.highest else None


def effective(key: str, found: Mapping[str, Sequence[FoundValue]]) -> EffectiveValue:
    """`found`: for each key what stands at the places, in the order of `Source`."""
    names = [name for name in (key, FALLBACKS.get(key)) if name is not None]
    skipped: list[tuple[str, FoundValue]] = []
    for name in names:
        for one in found.get(name, ()):
            number = accepted(BY_KEY[name], one.value)
            if number is not None:
                return EffectiveValue(number, name, one.source, tuple(skipped))
            skipped.append((name, one))
    return EffectiveValue(BY_KEY[names[-1]].default, names[-1], "default", tuple(skipped))
