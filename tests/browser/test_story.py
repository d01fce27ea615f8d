"""The one story from the first row of the sheet to the list on the reception desk, all of it through the screens."""

import csv
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.admin_desk import colleague
from tests.browser.conftest import Demo, eventually
from tests.browser.member_desk import LIFF
from tests.browser.test_member_answers import answer, standing
from tests.browser.wizard import Form
from tsudoi.commands.demo_people import roster

Office = Callable[..., Page]
NEW = {9001: "物語 太郎", 9002: "物語 花子"}


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The office's sheet with two new people at its end."""
    path = tmp_path_factory.mktemp("story") / "名簿.csv"
    rows = [*roster(), *([number, name, number, "member", "", "", "", "", ""] for number, name in NEW.items())]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def test_from_the_sheet_to_the_list(
    demo: Demo, office: Office, open_page: Office, new_friend: Callable[[str], str], sheet: Path, tmp_path: Path
) -> None:
    demo.command("members", "sync", "--file", str(sheet), "--force")
    friends = {name: new_friend(name) for name in NEW.values()}
    with colleague(demo) as other:
        eventually(lambda: NEW.keys() <= _linked(other.get("members?has_line=1")))

    page = office("audiences")
    page.get_by_role("button", name="グループを作る").first.click()
    page.get_by_role("textbox", name="グループの名前").fill("物語の会")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="「物語の会」に入る人")).to_be_visible()
    for name in NEW.values():
        page.get_by_role("list", name="会員").get_by_role("checkbox", name=re.compile(name)).check()
    page.get_by_role("button", name="保存する").click()
    expect(page.get_by_text("保存しました（+2人）。いま2人です。")).to_be_visible()

    event_id = _send(page, demo, tmp_path)
    expect(page.get_by_text("配信 2/2").first).to_be_visible(timeout=30_000)

    phones = {name: open_page(_link(demo, user_id, event_id), "phone") for name, user_id in friends.items()}
    taro, hanako = phones.values()
    answer(taro, "出席")
    standing(taro, "出席で回答済み 20")
    answer(hanako, "出席")
    standing(hanako, "出席で回答済み 20")
    answer(hanako, "欠席")
    standing(hanako, "欠席で回答済み 20")

    # Nobody reloads the office's page.
    table = page.get_by_role("table").last
    expect(table.get_by_role("row").filter(has_text="物語 太郎")).to_contain_text("出席", timeout=15_000)
    expect(table.get_by_role("row").filter(has_text="物語 花子")).to_contain_text("欠席", timeout=15_000)
    answered = page.request.get(f"{demo.product}/api/admin/events/{event_id}/export/latest.csv")
    lines = list(csv.reader(answered.body().decode("utf-8-sig").splitlines()))
    assert lines[0] == ["member_id", "name", "status", "extra_text"]
    assert lines[1:] == [["9001", "物語 太郎", "attend", ""], ["9002", "物語 花子", "absent", ""]]
    history = page.request.get(f"{demo.product}/api/admin/events/{event_id}/export/history.csv").body().decode()
    assert [line.split(",")[4] for line in history.splitlines()[1:]] == ["attend", "attend", "absent"]


def _linked(answer_of_members: dict[str, list[dict[str, int]]]) -> set[int]:
    return {row["id"] for row in answer_of_members["items"]}


def _link(demo: Demo, user_id: str, event_id: int) -> str:
    return f"{demo.phones}{LIFF}/events/{event_id}?as={user_id}"


def _send(page: Page, demo: Demo, folder: Path) -> int:
    picture = folder / "案内.jpg"
    Image.new("RGB", (620, 877), "#fff8e8").save(picture, "JPEG")
    page.goto(f"{demo.product}/admin/events/new")
    form = Form(page, picture)
    form.fill_to(3, "物語の総会")
    page.get_by_label("物語の会").check()
    form.next()
    form.on("受信者の確認")
    form.next()
    form.on("確認して送信")
    form.send()
    return form.arrived()
