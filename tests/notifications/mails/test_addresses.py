"""Addresses that exist in Japan are accepted, and nothing that could stand for more than one address."""

import pytest

from tsudoi.notifications.mails.errors import BadMailAddress
from tsudoi.notifications.mails.rules.addresses import checked_address, written_address


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("taro@example.jp", "taro@example.jp"),
        ("  Taro.Yamada+kai@Example.JP　", "Taro.Yamada+kai@example.jp"),
        ("ｔａｒｏ＠ｅｘａｍｐｌｅ．ｊｐ", "taro@example.jp"),
        ("taro@日本語.jp", "taro@xn--wgv71a119e.jp"),
        ("taro@例え。テスト", "taro@xn--r8jz45g.xn--zckzah"),
        ("a..b@docomo.ne.jp", "a..b@docomo.ne.jp"),
        ("a.@docomo.ne.jp", "a.@docomo.ne.jp"),
        (".a@ezweb.ne.jp", ".a@ezweb.ne.jp"),
        ('"a..b"@docomo.ne.jp', "a..b@docomo.ne.jp"),
        ("a.-.b@t.vodafone.ne.jp", "a.-.b@t.vodafone.ne.jp"),
        ('"taro"@example.jp', "taro@example.jp"),
        ("x" * 64 + "@example.jp", "x" * 64 + "@example.jp"),
        ("o'brien=a/b@mail-1.example.co.jp", "o'brien=a/b@mail-1.example.co.jp"),
    ],
)
def test_accepted(typed: str, stored: str) -> None:
    assert checked_address(typed) == stored
    assert checked_address(stored) == stored, "what is stored can be checked again"


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "taro",
        "@example.jp",
        "taro@",
        "taro@localhost",
        "taro@example..jp",
        "taro@-example.jp",
        "taro@192.168.0.1",
        "taro@[192.168.0.1]",
        "a..b@example.jp",
        "a.@example.jp",
        "a..b@evil-docomo.ne.jp",
        "太郎@example.jp",
        "taro@example.jp, jiro@example.jp",
        "taro yamada@example.jp",
        "taro@example.jp\r\nBcc: eve@example.jp",
        "taro\n@example.jp",
        "taro\x00@example.jp",
        "taro\ud800@example.jp",
        "<taro@example.jp>",
        "山田 <taro@example.jp>",
        '"taro yamada"@example.jp',
        '"a\\"b"@docomo.ne.jp',
        "taro@jiro@example.jp",
        "x" * 65 + "@example.jp",
        "x@" + ("y" * 60 + ".") * 5 + "jp",
        "taro@" + "あ" * 100 + ".jp",
        "taro@example.123",
    ],
)
def test_refused(typed: str) -> None:
    with pytest.raises(BadMailAddress) as found:
        checked_address(typed)
    assert found.value.status == 400
    assert typed.strip() == "" or typed not in str(found.value), "the message is logged"


def test_forbidden_dots_are_written_between_quotation_marks() -> None:
    assert written_address("a..b@docomo.ne.jp") == '"a..b"@docomo.ne.jp'
    assert written_address("a.b@docomo.ne.jp") == "a.b@docomo.ne.jp"
