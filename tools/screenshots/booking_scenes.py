"""The office's screens of booking. A day far ahead and an empty search show what a list without entries says."""

from playwright.sync_api import FilePayload, Page

from tools.screenshots.scene import admin, breaks, press

_CSV = "名前(漢字),本部ID(staffId),部署(コード),職種\r\n新田 一,9990001,ZZZ,看護師\r\n新田 二,12a,ZZZ,\r\n"


def choose_file(page: Page) -> None:
    file: FilePayload = {"name": "職員.csv", "mimeType": "text/csv", "buffer": _CSV.encode()}
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("table", name="取り込みの結果").wait_for()


BOOKING_SCENES = (
    admin("staffs", "staffs", whole=False),
    admin("staffs-nobody", "staffs?q=zzzz"),
    admin("staffs-failed", "staffs", given=(breaks("admin/staffs?*"),)),
    admin("staff-new", "staffs", press("^1人登録する$"), whole=False),
    admin("staffs-import", "staffs/import"),
    admin("staffs-import-preview", "staffs/import", choose_file),
    admin("departments", "staffs/departments"),
    admin("booking-calendar", "booking"),
    admin("booking-slots-empty", "booking/slots?date=2031-06-06"),
    admin("booking-slot-new", "booking/slots?date=2031-06-06", press("^枠を1つ作る$"), whole=False),
    admin("booking-bulk", "booking/slots/new"),
    admin("booking-copy", "booking/slots/copy"),
    admin("booking-day", "booking/day"),
    admin("booking-coverage", "booking/coverage"),
    admin("booking-types", "booking/types"),
    admin("booking-type-new", "booking/types", press("^種類を作る$"), whole=False),
    admin("reception", "reception"),
)
