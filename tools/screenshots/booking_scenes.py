"""The office's screens of booking. A day far ahead and an empty search show what a list without entries says."""

from playwright.sync_api import FilePayload, Page

from tools.screenshots.scene import admin, breaks, press, says, see

_CSV = "名前(漢字),本部ID(staffId),部署(コード),職種\r\n新田 一,9990001,ZZZ,看護師\r\n新田 二,12a,ZZZ,\r\n"


# A whole hospital in the words of another program: most wards are unknown, some rows are wrong.
_MANY = "\r\n".join(
    [
        "氏名,職員番号,フリガナ,所属,所属名,職種,役割,勤務形態",
        *(
            f"新田 第{n},{880000 + n},ニッタ ダイ,{n % 45 + 1:03},{n % 45 + 1}番病棟・外来,看護師,,"
            for n in range(1, 1201)
        ),
        "似た名前　一,8899001,ニタナマエ イチ,X1,リハビリテーション科,理学療法士,,",
        "間違い 一,88a1,マチガイ イチ,001,,看護師,,",
        "間違い 二,8899003,まちがい に,REHA,,看護師,,",
        "重複 一,8899004,,REHA,,看護師,,",
        "重複 二,8899004,,REHA,,,,",
    ]
)


def choose_many(page: Page) -> None:
    file: FilePayload = {"name": "人事一覧.csv", "mimeType": "text/csv", "buffer": _MANY.encode("cp932")}
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("table", name="取り込みの結果").wait_for()


def choose_file(page: Page) -> None:
    file: FilePayload = {"name": "職員.csv", "mimeType": "text/csv", "buffer": _CSV.encode()}
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("table", name="取り込みの結果").wait_for()


def choose_type(page: Page) -> None:
    page.get_by_label("予約の種類").select_option(index=1)


# The answer of a creation, so that the picture needs none.
_PLANNED = {"reservationTypeId": 1, "startMinuteOfDay": 540, "durationMinutes": 30, "capacity": 10}
_MADE = {
    "dryRun": False,
    "created": 3,
    "drafts": 3,
    "slots": [{"id": day, "serviceDateLocal": f"2031-06-0{day}", **_PLANNED} for day in (2, 3, 4)],
    "skipped": [],
}

BOOKING_SCENES = (
    admin("staffs", "staffs", whole=False),
    admin("staffs-nobody", "staffs?q=zzzz"),
    admin("staffs-failed", "staffs", given=(breaks("admin/staffs?*"),)),
    admin("staff-new", "staffs", press("^1人登録する$"), whole=False),
    admin("staffs-import", "staffs/import"),
    admin("staffs-import-preview", "staffs/import", choose_file),
    admin("staffs-import-many", "staffs/import", choose_many),
    admin("departments", "staffs/departments"),
    admin("booking-calendar", "booking"),
    admin("booking-slots-empty", "booking/slots?date=2031-06-06"),
    admin("booking-slot-new", "booking/slots?date=2031-06-06", press("^枠を1つ作る$"), whole=False),
    admin("booking-bulk", "booking/slots/new"),
    admin(
        "booking-bulk-preview", "booking/slots/new", choose_type, press("^作る前に確かめる$"), see("まだ作っていません")
    ),
    admin(
        "booking-bulk-made",
        "booking/slots/new",
        choose_type,
        press("^作る前に確かめる$"),
        see("下書きです"),
        given=(says("admin/slots/bulk", _MADE),),
    ),
    admin("booking-copy", "booking/slots/copy"),
    admin("booking-many", "booking/slots/change", press("^すべて選ぶ$")),
    admin(
        "booking-many-close",
        "booking/slots/change",
        press("^すべて選ぶ$"),
        press("^締め切る$"),
        see("枠を締め切ります"),
        whole=False,
    ),
    admin(
        "booking-many-delete",
        "booking/slots/change",
        press("^すべて選ぶ$"),
        press("^削除する$"),
        see("削除できません"),
        whole=False,
    ),
    admin(
        "booking-many-contents",
        "booking/slots/change",
        press("^すべて選ぶ$"),
        press("^内容を変える$"),
        press("定員を変える", "checkbox"),
        whole=False,
    ),
    admin("booking-many-none", "booking/slots/change?from=2031-06-06&to=2031-06-10"),
    admin("booking-day", "booking/day"),
    admin("booking-coverage", "booking/coverage"),
    admin("booking-types", "booking/types"),
    admin("booking-type-new", "booking/types", press("^種類を作る$"), whole=False),
    admin("reception", "reception"),
)
