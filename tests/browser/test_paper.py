"""What people print: every sheet has its head, nobody's name is covered, and nothing of the frame is on paper."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime

import httpx2
import pytest
from playwright.sync_api import Page, expect

from tests.browser.admin_desk import colleague
from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo, eventually, log_in
from tests.browser.customer_desk import SHOP
from tests.browser.hospital import Hospital, Person, day, reception_code
from tests.browser.member_desk import open_desk
from tests.browser.paper import Sheet, plain, printed
from tests.browser.test_admin_accounts import GOOD, begin_totp, newcomer
from tests.browser.test_screens import check_every_size
from tests.browser.thread_form import ThreadDesk, by_mail, slot
from tests.factories.booking import PIN
from tests.factories.threads import BY_HAND
from tsudoi.access.second_factor.rules import code_at, step_of

__all__ = ["newcomer"]

OpenPage = Callable[..., Page]
pytestmark = pytest.mark.found("24.C1")
# The roster gets people who belong to nobody's sheet.
OWN_DEMO = True
MANY = 70
# More than the screen draws at once.
CROWD = 170
SLOTS, EACH = 9, 3
# So many people may be named in a sentence; more are a list.
FEW = 5
UPRIGHT, ACROSS = (595, 842), (842, 595)
MARGIN = 26
ON_SCREEN_ONLY = ("本文へ移動", "ログアウト", "メインメニュー", "操作履歴電話", "もっと見る", "印刷する（")
STAND_IN = "() => { window.asked = false; window.print = () => { window.asked = true; }; }"
# What stays in one place of the window would come again on each sheet, over whatever stands there.
STUCK = """() => [...document.querySelectorAll('body *')]
    .filter(one => ['fixed', 'sticky'].includes(getComputedStyle(one).position) && one.getClientRects().length > 0)
    .map(one => one.outerHTML.slice(0, 150))"""


@dataclass(frozen=True)
class Filled:
    """A demo with more people everywhere than fit on a sheet of paper."""

    event: int
    thread: str
    token: str
    slot: int
    type: int
    person: Person
    reservation: int


@dataclass(frozen=True)
class Paper:
    """A page, the words at the head of each sheet, and the names of the people who have to be on them, once each."""

    path: str
    head: tuple[str, ...]
    name: str
    people: int = MANY
    size: tuple[int, int] = UPRIGHT


PAPERS = {
    "the reception of an event": Paper("events/{event}/print", ("受付", "名前", "回答"), "会員第{:03}号", CROWD),
    "an event": Paper("events/{event}", ("名前", "回答", "回答日時"), "会員第{:03}号", CROWD),
    "the answers about a date": Paper("threads/{thread}/print", ("名前", "コメント"), "委員{:02}番", size=ACROSS),
    "a thread": Paper("threads/{thread}", ("名前", "10:00"), "委員{:02}番", size=ACROSS),
    "the reception of a day": Paper(
        "booking/day/print?date={full}&type={type}", ("受付", "氏名", "番号", "部署"), "職員{:02}太郎"
    ),
    "the reception on a screen": Paper("booking/day?date={full}&type={type}", ("氏名", "職員番号"), "職員{:02}太郎"),
    "a slot": Paper("booking/slots/{slot}", ("氏名", "職員番号", "部署"), "職員{:02}太郎"),
    "who has booked": Paper("booking/coverage?type={type}&state=booked", ("職員番号", "氏名", "部署"), "職員{:02}太郎"),
    "the staff": Paper("staffs?q=職員", ("職員番号", "氏名", "最後のログイン"), "職員{:02}太郎"),
    "the notices": Paper("notifications?q=職員", ("予約確定", "リマインド"), "職員{:02}太郎"),
    "the members": Paper("members", ("会員番号", "氏名", "配信"), "会員第{:03}号", CROWD),
    "a group": Paper("audiences/1", (), "会員第{:03}号", CROWD),
    "the events": Paper("events", (), "定例会第{}回", MANY),
}


@pytest.fixture(scope="module")
def filled(demo: Demo) -> Filled:
    return fill(demo)


def fill(demo: Demo) -> Filled:
    with colleague(demo) as somebody:
        hospital = Hospital(somebody)
        full = hospital.slot(ahead=3, capacity=MANY)
        known = {"emrPatientId": "1700001", "dateOfBirth": "1990-04-01", "sexCode": "2"}
        people = [hospital.person(f"職員{number:02}", **({} if number else known)) for number in range(MANY)]
        reservations = [hospital.book(person, full) for person in people]
        for number in range(SLOTS):
            small = hospital.slot(ahead=4, minute=540 + 30 * number)
            for place in range(EACH):
                hospital.book(hospital.person(f"少数{number}の{place}"), small)
        threads = ThreadDesk(somebody.client, demo.data_dir)
        slots = [slot(days, hour) for days in range(4, 11) for hour in (10, 14)]
        names = [f"委員 {number:02}番" for number in range(MANY)]
        thread = threads.make("地域連携協議会", invitees=by_mail(*names), slots=slots, rule=BY_HAND)
        for name in names[::3]:
            threads.answer(thread.tokens[name], *thread.slots[::2], comment="午後は外来があります。")
    _crowd(demo)
    with open_desk(demo.product, demo.phones, demo.data_dir) as desk:
        event = desk.invite("臨時総会", extra_text_enabled="true")
        desk.answer_for(event, "会員 第000号", "attend", "懇親会にも出席します。")
        desk.repeat(event, MANY)
    return Filled(event, thread.id, thread.tokens[names[0]], full, hospital.type_id, people[0], reservations[0])


def _crowd(demo: Demo) -> None:
    """Members whom LINE reaches."""
    answer = httpx2.post(f"{demo.phones}/_sandbox/users/crowd", json={"count": CROWD}, timeout=60, trust_env=False)
    rows = [(10_000 + at, f"会員 第{at:03}号", user_id) for at, user_id in enumerate(answer.json()["user_ids"])]
    with closing(sqlite3.connect(demo.data_dir / "tsudoi.sqlite3", timeout=30)) as database, database:
        database.executemany(
            "INSERT INTO members (id, name, name_key, line_user_id, is_target, created_at, updated_at)"
            " VALUES (?, ?, '', ?, 1, '2025-08-16T12:00:00+09:00', '2025-08-16T12:00:00+09:00')",
            rows,
        )


def pressed_ctrl_p(page: Page) -> list[Sheet]:
    """As a person prints: a long list is gathered first, and only then the dialog of the browser opens."""
    page.wait_for_load_state("networkidle")
    page.evaluate(STAND_IN)
    has_more = page.get_by_role("button", name="もっと見る").count() > 0
    page.keyboard.press("Control+p")
    if has_more:
        eventually(lambda: page.evaluate("window.asked"))
    page.emulate_media(media="print")
    assert page.evaluate(STUCK) == []
    sheets = printed(page)
    page.emulate_media(media="screen")
    return sheets


def within(sheets: list[Sheet]) -> None:
    for number, sheet in enumerate(sheets, 1):
        for letters in sheet.letters:
            assert MARGIN <= letters.x < sheet.width - MARGIN, (number, letters)
            assert MARGIN <= letters.y < sheet.height - MARGIN / 2, (number, letters)


def without_frame(sheets: list[Sheet]) -> None:
    text = "".join(sheet.text for sheet in sheets)
    assert [words for words in ON_SCREEN_ONLY if words in text] == []


class TestLongLists:
    @pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
    def test_are_on_paper_whole_with_a_head_on_each_sheet(self, office: OpenPage, filled: Filled, paper: Paper) -> None:
        page = office(paper.path.format(**filled.__dict__, full=day(3)))
        sheets = pressed_ctrl_p(page)
        first = 1 if "{}" in paper.name else 0
        names = [paper.name.format(number) for number in range(first, first + paper.people)]
        pattern = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))
        found = [pattern.findall(sheet.text) for sheet in sheets]
        assert {name for on_sheet in found for name in on_sheet} == set(names)
        with_people = [sheet for sheet, on_sheet in zip(sheets, found, strict=True) if len(set(on_sheet)) > FEW]
        assert len(with_people) >= 2
        for sheet in with_people:
            assert [words for words in paper.head if words not in sheet.text] == []
        assert {sheet.size for sheet in sheets} == {paper.size}
        without_frame(sheets)
        within(sheets)

    @pytest.mark.usefixtures("filled")
    def test_from_the_menu_of_the_browser_say_that_they_go_on(self, office: OpenPage) -> None:
        """Nothing can hold that menu back."""
        page = office("events")
        expect(page.get_by_role("button", name="もっと見る")).to_be_visible()
        text = "".join(sheet.text for sheet in printed(page))
        assert "定例会第1回" in text
        assert f"定例会第{MANY}回" not in text
        assert "この一覧には、まだ続きがあります。" in text
        pressed_ctrl_p(page)
        text = "".join(sheet.text for sheet in printed(page))
        assert f"定例会第{MANY}回" in text
        assert "まだ続きがあります" not in text

    @pytest.mark.usefixtures("filled")
    def test_that_cannot_be_gathered_are_not_printed(self, office: OpenPage, complaints: Complaints) -> None:
        complaints.expect("status of 500")
        page = office("events")
        expect(page.get_by_role("button", name="もっと見る")).to_be_visible()
        page.evaluate(STAND_IN)
        page.route("**/api/admin/events?*", lambda route: route.fulfill(status=500, json={"code": "X", "message": "x"}))
        page.keyboard.press("Control+p")
        expect(page.get_by_text("一覧の続きを読み込めなかったため、印刷をやめました。")).to_be_visible()
        check_every_size(page)
        assert page.evaluate("window.asked") is False
        page.unroute("**/api/admin/events?*")
        page.get_by_role("status").get_by_role("button", name="もう一度").click()
        eventually(lambda: page.evaluate("window.asked"))


def test_a_heading_stands_with_its_first_people(office: OpenPage, filled: Filled) -> None:
    page = office(f"booking/day/print?date={day(4)}&type={filled.type}")
    sheets = pressed_ctrl_p(page)
    assert len(sheets) > 1
    for number in range(SLOTS):
        minute = 540 + 30 * number
        heading = re.compile(f"{minute // 60}:{minute % 60:02}.{(minute + 30) // 60}:{(minute + 30) % 60:02}健診")
        on = next(sheet for sheet in sheets if heading.search(sheet.text))
        assert f"少数{number}の0太郎" in heading.split(on.text, maxsplit=1)[1], heading


OTHERS = (
    *("", "threads", "telephone", "audiences", "people", "people/drift", "audit", "admins", "account"),
    *("booking", "booking/slots?date={full}", "booking/coverage", "booking/types", "staffs/departments"),
    *("notifications/templates", "payments", "shops", "customers", "connections", "tickets", "events/new"),
    "staffs/{staff}",
)


@pytest.mark.parametrize("path", OTHERS)
def test_every_other_page_prints_without_its_frame(office: OpenPage, filled: Filled, path: str) -> None:
    page = office(path.format(full=day(3), staff=filled.person.staff_uid))
    heading = page.get_by_role("heading", level=1).inner_text()
    sheets = pressed_ctrl_p(page)
    assert plain(heading) in sheets[0].text
    without_frame(sheets)
    within(sheets)


class TestDialogs:
    def test_alone_are_printed_while_they_are_open(self, office: OpenPage, filled: Filled) -> None:
        page = office(f"events/{filled.event}")
        page.get_by_role("button", name="会員 第000号").click()
        expect(page.get_by_role("dialog").get_by_text("懇親会にも出席します。")).to_be_visible()
        sheets = pressed_ctrl_p(page)
        assert len(sheets) == 1
        text = sheets[0].text
        assert "回答の履歴" in text
        assert "懇親会にも出席します。" in text
        assert "会員第001号" not in text
        within(sheets)

    def test_bring_all_recovery_codes_on_one_sheet(self, demo: Demo, open_page: OpenPage, newcomer: str) -> None:
        page = open_page(f"{demo.product}/admin/account")
        log_in(page, newcomer, GOOD)
        dialog, secret = begin_totp(page)
        dialog.get_by_label("認証コード").fill(code_at(secret, step_of(datetime.now(UTC))))
        dialog.get_by_role("button", name="オンにする").click()
        kept = page.get_by_role("dialog", name="回復コード")
        expect(kept.get_by_role("listitem")).to_have_count(10)
        codes = kept.get_by_role("listitem").all_inner_texts()
        expect(kept.get_by_role("button", name="印刷")).to_be_visible()
        check_every_size(page)
        sheets = pressed_ctrl_p(page)
        assert len(sheets) == 1
        assert [code for code in codes if re.sub(r"\s", "", code) not in sheets[0].text] == []
        assert "控えました" not in sheets[0].text
        without_frame(sheets)
        within(sheets)


class TestPagesOfPeople:
    def test_a_confirmed_reservation(self, demo: Demo, open_page: OpenPage, filled: Filled) -> None:
        reception_code(demo.product, filled.person, filled.reservation)
        page = open_page(f"{demo.product}/staff/reservations/{filled.reservation}", "phone")
        page.get_by_label("職員番号").fill(filled.person.staff_id)
        page.get_by_label("暗証番号（PIN）4桁").fill(PIN)
        page.keyboard.press("Enter")
        expect(page.get_by_text("受付のQRコードを見せる")).to_be_visible()
        sheets = pressed_ctrl_p(page)
        assert len(sheets) == 1
        assert "9:00〜9:30" in sheets[0].text
        assert [words for words in ("予約を取り消す", "わたし", "ログアウト") if words in sheets[0].text] == []
        within(sheets)

    def test_the_page_of_a_link(self, demo: Demo, open_page: OpenPage, filled: Filled) -> None:
        page = open_page(f"{demo.product}/i/{filled.token}", "phone")
        sheets = pressed_ctrl_p(page)
        text = "".join(sheet.text for sheet in sheets)
        assert "地域連携協議会" in text
        assert "回答を変更する" not in text
        assert "海外の方" not in text
        within(sheets)

    def test_the_help_of_a_shop(self, demo: Demo, open_page: OpenPage) -> None:
        page = open_page(f"{demo.product}/help/{SHOP}", "phone")
        sheets = pressed_ctrl_p(page)
        assert len(sheets) == 1
        assert "052-123-4567" in sheets[0].text
        assert "確認メールを送る" not in sheets[0].text
        within(sheets)

    def test_an_event_inside_line(self, demo: Demo, open_page: OpenPage, filled: Filled) -> None:
        with open_desk(demo.product, demo.phones, demo.data_dir) as desk:
            page = open_page(desk.link("山田 太郎", f"events/{filled.event}"), "phone")
        expect(page.get_by_role("heading", level=1)).to_contain_text("臨時総会")
        sheets = pressed_ctrl_p(page)
        assert "臨時総会" in sheets[0].text
        within(sheets)
