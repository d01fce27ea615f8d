"""The real Argon2 parameters; all other tests use cheap ones."""

import asyncio
from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher

from tsudoi.booking.pins.jobs import NOBODY, PinHasher, needs_rehash
from tsudoi.booking.pins.rules import PIN_VERSION
from tsudoi.core.hash_queue import HasherBusy, QueueLimits


@pytest.fixture
def hasher() -> Iterator[PinHasher]:
    made = PinHasher("pepper")
    yield made
    made.close()


@pytest.mark.row("3.6.15", "3.6.16", "3.1.7")
def test_the_hash_depends_on_pin_salt_and_pepper(hasher: PinHasher) -> None:
    stored = hasher.hash_now("7391")
    assert stored.startswith("$argon2id$v=19$m=65536,t=3,p=1$")
    assert hasher.verify_now("7391", stored)
    assert not hasher.verify_now("7392", stored)
    other = PinHasher("other pepper")
    assert not other.verify_now("7391", stored)
    other.close()


def test_nobody_and_broken_hashes_match_no_pin(hasher: PinHasher) -> None:
    assert not hasher.verify_now("0000", None)
    assert not hasher.verify_now("0000", "not a hash")
    assert NOBODY.startswith("$argon2id$v=19$m=65536,t=3,p=1$")


@pytest.mark.row("3.6.17")
def test_an_older_scheme_or_cheaper_parameters_need_a_new_hash() -> None:
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash("x")
    assert needs_rehash(cheap, PIN_VERSION)
    assert needs_rehash(NOBODY, PIN_VERSION - 1)
    assert not needs_rehash(NOBODY, PIN_VERSION)


def test_a_full_queue_refuses_with_503(hasher: PinHasher) -> None:
    hasher.queue.limits = QueueLimits(strangers=1, all=1)
    with hasher.place(known=False):
        with pytest.raises(HasherBusy) as caught:
            asyncio.run(hasher.hash("7391", known=True))
        assert (caught.value.status, caught.value.headers) == (503, {"Retry-After": "5"})
    assert asyncio.run(hasher.hash("7391", known=True))
