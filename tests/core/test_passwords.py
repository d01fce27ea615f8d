from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Semaphore

import bcrypt
import pytest

from tsudoi.core import passwords
from tsudoi.core.passwords import check_password, hash_password, weakness

# Words with a number or a sign, runs of keys, repetitions, and the names of the user and of the organisation.
COMMON = [
    "password2025",
    "P@ssw0rd1234!",
    "ｐａｓｓｗｏｒｄ１２３",
    "Welcome-2025",
    "iloveyou1234",
    "passwordpassword",
    "sakura.fujisan",
    "yamadataro1970",
    "qwertyuiop",
    "1qaz2wsx3edc",
    "1q2w3e4r5t6y",
    "asdfghjkl;123",
    "abcdefghij",
    "zyxwvutsrq9",
    "1234567890",
    "20250816120000",
    "0901234567",
    "aaaabbbbccccdddd",
    "パスワードひみつ2025",
    "tsudoi-demo-2025",
    "jimukyoku2025",
    "tanaka-jimukyoku",
    "ukoykumij!!99",
    "町内会連合会の集い2025",
]


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The cost of each bcrypt computation that was really done."""
    costs: list[int] = []
    real: Callable[[bytes, bytes], bool] = bcrypt.checkpw

    def counted(password: bytes, hashed: bytes) -> bool:
        costs.append(int(hashed.split(b"$")[2]))
        return real(password, hashed)

    monkeypatch.setattr(bcrypt, "checkpw", counted)
    return costs


@pytest.fixture(scope="module")
def stored() -> str:
    return hash_password("正しい password 1")


class TestHashPassword:
    def test_is_bcrypt_at_cost_12_with_a_salt_of_its_own(self, stored: str) -> None:
        assert stored.startswith("$2b$12$")
        assert hash_password("正しい password 1") != stored

    def test_refuses_what_bcrypt_would_cut(self) -> None:
        with pytest.raises(ValueError, match="72"):
            hash_password("x" * 73)


class TestCheckPassword:
    def test_knows_the_right_one(self, stored: str) -> None:
        assert check_password("正しい password 1", stored)

    @pytest.mark.parametrize(
        "wrong", ["", "正しい password 2", "正しい password 1 ", "正しい password 1\x00", "\ud800"]
    )
    def test_refuses_a_wrong_one(self, stored: str, wrong: str) -> None:
        assert not check_password(wrong, stored)

    def test_a_longer_one_with_the_right_beginning_is_wrong(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(passwords, "_COST", 4)
        longest = "x" * 72
        hashed = hash_password(longest)
        assert check_password(longest, hashed)
        assert not check_password(longest + "y", hashed)
        assert not check_password("x" * 1_000_000, hashed)

    def test_an_unknown_user_costs_the_same_work(self, stored: str, work: list[int]) -> None:
        assert not check_password("wrong password", stored)
        assert not check_password("wrong password", None)
        assert work == [12, 12]

    @pytest.mark.parametrize("guess", ["", "x" * 100])
    def test_no_password_opens_an_account_that_is_not_there(self, guess: str, work: list[int]) -> None:
        assert not check_password(guess, None)
        assert work == [12]

    def test_nor_does_the_one_behind_the_stand_in(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(passwords, "_NOBODY", bcrypt.hashpw(b"the stand-in", bcrypt.gensalt(4)))
        assert not check_password("the stand-in", None)

    def test_never_more_than_two_at_a_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        two_are_in, may_leave = Semaphore(0), Event()

        def slow(_password: bytes, _hashed: bytes) -> bool:
            two_are_in.release()
            return not may_leave.wait(10)

        monkeypatch.setattr(bcrypt, "checkpw", slow)
        with ThreadPoolExecutor(2) as threads:
            for _ in range(2):
                threads.submit(check_password, "x", None)
            assert two_are_in.acquire(timeout=10)
            assert two_are_in.acquire(timeout=10)
            third = passwords._AT_A_TIME.acquire(blocking=False)
            may_leave.set()
        assert not third
        assert passwords._AT_A_TIME.acquire(blocking=False)
        passwords._AT_A_TIME.release()


class TestWeakness:
    @pytest.mark.parametrize("good", ["正しい馬の電池とホチキス", "correct horse", "a1k9-m2x7z", "xk" * 35 + "qy"])
    def test_has_nothing_against_a_good_one(self, good: str) -> None:
        assert weakness(good) is None

    @pytest.mark.parametrize(
        ("bad", "why"),
        [
            ("", "10文字以上"),
            ("abcdefghi", "10文字以上"),
            ("a" * 70 + "bcd", "72バイト以内"),
            ("あいうえお" * 5, "72バイト以内"),
            ("abcabcabcabc", "繰り返し"),
            *[(common, "推測されやすい") for common in COMMON],
        ],
    )
    def test_says_in_japanese_why_not(self, bad: str, why: str) -> None:
        assert why in (weakness(bad, ["jimukyoku.tanaka", "集い 町内会連合会"]) or "")

    def test_a_name_that_ends_in_digits_counts_as_a_name(self) -> None:
        assert weakness("kumi-ab12cd342025", ["kumi-ab12cd34"]) is not None
        assert weakness("kumi-ab12cd342025", ["jimukyoku"]) is None

    def test_names_count_only_where_they_are_known(self) -> None:
        assert weakness("Kazamidori.2025", ["kazamidori"]) is not None
        assert weakness("Kazamidori.2025", ["jimukyoku"]) is None
        assert weakness("irodimazak 77", ["kazamidori"]) is not None
        assert weakness("k7-x2qr-9h2025", ["k7-x2qr-9h"]) is not None
        assert weakness("風見鶏の会の二千二十五", ["風見鶏の会"]) is None
