"""When two spellings of a name are the same name, and when they only look it."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsudoi.core.names import name_key

WHITE_SPACE = [chr(n) for n in (*range(9, 14), 32, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029)]
WHITE_SPACE += ["\u202f", "\u205f", "\u3000"]
ZERO_WIDTH = ["\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u180e", "\u00ad", "\u034f"]
BIDI = ["\u200e", "\u200f", "\u061c", *"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"]
SELECTORS = ["\ufe00", "\ufe0e", "\ufe0f", "\U000e0100", "\U000e01ef", "\u180b", "\u180f"]
FILLERS = ["\u115f", "\u1160", "\u3164", "\uffa0", "\u17b4", "\u17b5", "\u2800"]
# Without a shape of their own although Unicode has not assigned most of them: "default ignorable".
RESERVED = ["\u2065", "\ufff0", "\ufff8", "\U000e0000", "\U000e0041", "\U000e0fff"]
CONTROLS = ["\x00", "\x1b", "\x7f", "\x9f", "\ud800", "\udfff"]
UNSEEN = [*WHITE_SPACE, *ZERO_WIDTH, *BIDI, *SELECTORS, *FILLERS, *RESERVED, *CONTROLS]
# Random text seldom has a mark right after something invisible, which is where normal forms go wrong.
AWKWARD = st.text(
    st.one_of(st.sampled_from([*UNSEEN, *"aAhHがかハ高髙ＡﾊｶÅ´¨\u3099\u309a\u0301\u0331\ufdfa"]), st.characters())
)


class TestUnseenCharacters:
    @pytest.mark.parametrize("nfkc", [False, True])
    @pytest.mark.parametrize("character", UNSEEN, ids=lambda c: f"{ord(c):04x}")
    def test_count_for_nothing(self, character: str, nfkc: bool) -> None:
        for spelling in (f"山田{character}太郎", f"{character}山田太郎", f"山田太郎{character * 3}"):
            assert name_key(spelling, nfkc=nfkc) == "山田太郎"

    @pytest.mark.parametrize("nfkc", [False, True])
    def test_alone_are_no_name(self, nfkc: bool) -> None:
        assert name_key("".join(UNSEEN), nfkc=nfkc) == ""
        assert name_key("", nfkc=nfkc) == ""

    def test_do_not_keep_a_mark_from_its_letter(self) -> None:
        """か + zero-width joiner + ゛ looks like が, and with NFKC has to be が."""
        assert name_key("か\u200d\u3099", nfkc=True) == "が"


class TestSeenCharacters:
    @pytest.mark.parametrize(
        ("name", "key", "folded"),
        [
            ("山田  太郎", "山田太郎", "山田太郎"),
            ("Yamada TARO", "yamadataro", "yamadataro"),
            ("ＹＡＭＡＤＡ", "ｙａｍａｄａ", "yamada"),
            ("ﾔﾏﾀﾞ", "ﾔﾏﾀﾞ", "ヤマダ"),
            ("①山田", "①山田", "1山田"),
            ("ÉMILE", "Émile", "Émile"),
            ("İstanbul", "İstanbul", "İstanbul"),
            ("ΣΙΓΜΑ", "ΣΙΓΜΑ", "ΣΙΓΜΑ"),
            ("\u212aen", "\u212aen", "ken"),  # The Kelvin sign: str.lower() would make a k of it.
            ("髙橋", "髙橋", "髙橋"),
            ("山田👨‍👩‍👧太郎", "山田👨👩👧太郎", "山田👨👩👧太郎"),
        ],
    )
    def test_table(self, name: str, key: str, folded: str) -> None:
        assert name_key(name, nfkc=False) == key
        assert name_key(name, nfkc=True) == folded

    @pytest.mark.parametrize(
        ("one", "other"), [("髙", "高"), ("﨑", "崎"), ("邊", "辺"), ("ß", "ss"), ("か", "が"), ("ー", "一")]
    )
    @pytest.mark.parametrize("nfkc", [False, True])
    def test_that_differ_stay_different(self, one: str, other: str, nfkc: bool) -> None:
        assert name_key(one, nfkc=nfkc) != name_key(other, nfkc=nfkc)


class TestAnyText:
    @given(AWKWARD, st.booleans())
    def test_has_a_key_that_is_its_own_key(self, name: str, nfkc: bool) -> None:
        key = name_key(name, nfkc=nfkc)
        assert name_key(key, nfkc=nfkc) == key

    @given(AWKWARD, st.booleans())
    def test_has_a_key_that_every_database_takes(self, name: str, nfkc: bool) -> None:
        key = name_key(name, nfkc=nfkc)
        assert not any(character.isspace() for character in key)
        assert not any(unicodedata.category(character) in ("Cc", "Cf", "Cs") for character in key)
        assert "\0" not in key
        key.encode()

    @given(st.text(), st.sampled_from(UNSEEN), st.integers(0, 20))
    def test_keeps_its_key_when_something_unseen_is_put_in(self, name: str, unseen: str, at: int) -> None:
        for nfkc in (False, True):
            assert name_key(name[:at] + unseen + name[at:], nfkc=nfkc) == name_key(name, nfkc=nfkc)
