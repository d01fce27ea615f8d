import base64

import pytest

from tsudoi.shops.secrets.errors import Unreadable
from tsudoi.shops.secrets.rules import KeyRing, decrypt, encrypt, key_id, last_four, sealed_with, secret_purpose

OLD, NEW = bytes(range(32)), bytes(range(32, 64))
HERE = secret_purpose(1, "STORES_API_TOKEN")


def text(*keys: bytes) -> str:
    return ",".join(base64.b64encode(key).decode() for key in keys)


@pytest.mark.parametrize("plain", ["tok_1", "", "合言葉 🔑", "x" * 5000])
def test_what_is_sealed_can_be_opened(plain: str) -> None:
    ring = KeyRing.of(text(NEW))
    assert decrypt(ring, encrypt(ring, plain, HERE), HERE) == plain


def test_a_sealed_value_shows_its_version_and_key_and_nothing_else() -> None:
    sealed = encrypt(KeyRing.of(text(NEW)), "tok_of_the_shop", HERE)
    version, name, rest = sealed.split(".")
    assert (version, name) == ("v1", key_id(NEW))
    assert "tok_of_the_shop" not in sealed
    assert b"tok_of_the_shop" not in base64.urlsafe_b64decode(rest + "==")


def test_the_same_value_is_sealed_differently_each_time() -> None:
    ring = KeyRing.of(text(NEW))
    assert len({encrypt(ring, "tok_1", HERE) for _ in range(50)}) == 50


def test_the_first_key_encrypts_and_every_key_decrypts() -> None:
    sealed = encrypt(KeyRing.of(text(OLD)), "tok_1", HERE)
    both = KeyRing.of(text(NEW, OLD))
    assert decrypt(both, sealed, HERE) == "tok_1"
    assert sealed_with(encrypt(both, "tok_1", HERE)) == key_id(NEW) == both.first_id


def test_a_value_without_its_key_is_unreadable() -> None:
    sealed = encrypt(KeyRing.of(text(OLD)), "tok_1", HERE)
    with pytest.raises(Unreadable, match=key_id(OLD)):
        decrypt(KeyRing.of(text(NEW)), sealed, HERE)


@pytest.mark.parametrize("elsewhere", [secret_purpose(2, "STORES_API_TOKEN"), secret_purpose(1, "OTHER"), ""])
def test_a_value_cannot_be_moved_to_another_shop_or_name(elsewhere: str) -> None:
    ring = KeyRing.of(text(NEW))
    with pytest.raises(Unreadable):
        decrypt(ring, encrypt(ring, "tok_1", HERE), elsewhere)


def test_no_byte_of_a_sealed_value_can_be_changed() -> None:
    ring = KeyRing.of(text(NEW))
    head, name, body = encrypt(ring, "tok_1", HERE).split(".")
    raw = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
    for place in range(len(raw)):
        changed = raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]
        with pytest.raises(Unreadable):
            decrypt(ring, f"{head}.{name}.{base64.urlsafe_b64encode(changed).decode().rstrip('=')}", HERE)


@pytest.mark.parametrize(
    "sealed", ["", "tok_1", "v1..", "v2.00000000.AAAA", "v1.zzzzzzzz.AAAA", "v1.{id}.A", "v1.{id}.AAAA"]
)
def test_anything_else_is_unreadable(sealed: str) -> None:
    with pytest.raises(Unreadable):
        decrypt(KeyRing.of(text(NEW)), sealed.replace("{id}", key_id(NEW)), HERE)


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("", "has to be 32 bytes"),
        ("not base64!", "not base64"),
        (base64.b64encode(b"short").decode(), "has to be 32 bytes"),
        (base64.b64encode(bytes(32)).decode(), "not random"),
        (text(NEW, NEW), "twice"),
        (text(NEW) + ",", "Key 2"),
    ],
)
def test_a_bad_setting_is_refused_with_a_sentence_that_does_not_repeat_it(setting: str, says: str) -> None:
    with pytest.raises(ValueError, match=says) as refused:
        KeyRing.of(setting)
    assert not setting or setting not in str(refused.value)


def test_the_ring_does_not_show_its_keys() -> None:
    assert repr(KeyRing.of(text(NEW))) == "KeyRing()"


def test_keys_in_the_url_alphabet_are_the_same_keys() -> None:
    assert KeyRing.of(base64.urlsafe_b64encode(NEW).decode()) == KeyRing.of(text(NEW))


def test_only_a_long_secret_shows_its_last_four() -> None:
    assert last_four("tok_0123456789") == "6789"
    assert last_four("tok_1") is None
